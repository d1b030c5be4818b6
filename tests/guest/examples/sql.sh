#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A database of its own, whose server is a child of the shell's, and two questions to it.
# Unpacked and not installed, it is brought to where its user, who is not there either, can reach it.
for bin in /usr/lib/postgresql/*/bin; do :; done
if [ ! -d "$bin" ]; then
	bin=$(dirname "$(command -v postgres)")
	unpacked=${bin%/lib/postgresql/*} bin=/usr${bin#"$unpacked"}
	for dir in lib share; do
		mkdir -p /usr/$dir/postgresql && mount --bind "$unpacked/$dir/postgresql" /usr/$dir/postgresql
	done
	echo 'postgres:x:5432:5432::/:/bin/sh' >> /etc/passwd
	echo 'postgres:x:5432:' >> /etc/group
fi
dir=$(mktemp -d)
chown postgres "$dir"
run() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
run "$bin/initdb" -D "$dir/db" --no-sync > /dev/null
run "$bin/postgres" -D "$dir/db" -k "$dir" -c listen_addresses= > /dev/null 2>&1 &
until "$bin/pg_isready" -q -h "$dir"; do sleep 0.1; done
run "$bin/psql" -h "$dir" -d postgres -Atc 'select 1' -c 'select count(*) from pg_class' > /dev/null
run "$bin/pg_ctl" -D "$dir/db" -m immediate stop > /dev/null
