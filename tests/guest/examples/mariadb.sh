#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A server of MariaDB with an empty directory, and two questions to it.
dir=$(mktemp -d)
mkdir "$dir/data"
mariadbd --no-defaults --user=root --datadir="$dir/data" --socket="$dir/socket" --pid-file="$dir/pid" \
	--skip-networking --skip-grant-tables --innodb-buffer-pool-size=32M > "$dir/log" 2>&1 &
ask() { mariadb --no-defaults -S "$dir/socket" -e "$1" > /dev/null 2>&1; }
until ask 'select 1'; do sleep 0.2; done
ask 'select count(*) from information_schema.tables; select sleep(0.1)'
mariadb-admin --no-defaults -S "$dir/socket" shutdown 2> /dev/null || kill $!
wait
rm -r "$dir"
