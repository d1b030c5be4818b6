#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Starts a database server as a child of the shell, and sends it two queries. If it was unpacked but not installed, it
# is copied to a place that its user can reach; that user is created as well.
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
