# Tables for programs that a run meets, passed in by an attacker who has taken over stapio: accepted only for files that
# were requested, once each; damaged and large ones are refused; and a table that leads walks to the kernel's memory
# reads nothing.
# guards: runtime stapio cfi
set -eu
cd "$MODULES"
address=$(awk '$3 == "linux_banner" { print $1 }' /proc/kallsyms)
[ "$((0x$address))" != 0 ] || { echo "linux_banner is not known: $address"; exit 1; }
cp tables_crafted /tmp/tables_large
cp tables_crafted /tmp/tables_copy
insmod t_tables_crafted.ko
./tables_crafted /proc/stap-t_tables_crafted "$address" /tmp/tables_large /tmp/tables_copy
awk -F'\t' '$1 == "probe" { hits += $4; rest += $5 + $6 + $7 } END { exit hits != rest || hits < 23 }' \
	/proc/stap-t_tables_crafted/books || { cat /proc/stap-t_tables_crafted/books; exit 1; }
rmmod t_tables_crafted
! dmesg | grep -E 'BUG|WARNING|Oops|general protection' || exit 1
