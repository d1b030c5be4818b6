#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A database of its own, and two questions to it.
bin=/usr/lib/postgresql/15/bin
dir=$(mktemp -d)
chown postgres "$dir"
run() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
run "$bin/initdb" -D "$dir/db" --no-sync > /dev/null
run "$bin/pg_ctl" -D "$dir/db" -w -o "-k $dir -c listen_addresses=" start > /dev/null
run "$bin/psql" -h "$dir" -d postgres -Atc 'select 1' -c 'select count(*) from pg_class' > /dev/null
run "$bin/pg_ctl" -D "$dir/db" -m immediate stop > /dev/null
