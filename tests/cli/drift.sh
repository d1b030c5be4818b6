# SPDX-License-Identifier: GPL-2.0-or-later
# The tables of replaced names: no name occurs twice, none replaces itself, commits have the right form; most of the
# replacements exist.
. "$TOP/tests/cli/expect.inc"

rows() { grep -h '^ROW(' "$TOP/translator/drift/$1.def"; }

for table in members functions parameters tracepoints types variables places markers; do
	rows $table |
		grep -vE '^ROW\((NULL|"[^"]+"), "[^"]*", (NULL|"[^"]*"), (NULL|"(glibc )?[0-9]+(\.[0-9]+)+"), (NULL|"[0-9a-f]{12}"), (NULL|".*[^.]")\)$' \
		> out
	[ ! -s out ] || say_wrong "$table.def: these rows are not written as rows are"
	if [ $table = markers ]; then
		rows $table | sed -E 's/^ROW\("[^"]*", ("[^"]*").*/\1/'
	else
		rows $table | sed -E 's/^(ROW\([^,]*, "[^"]*").*/\1/'
	fi | sort | uniq -d > out
	[ ! -s out ] || say_wrong "$table.def: these names have several rows"
	if [ $table != markers ]; then rows $table | grep -E '^ROW\([^,]*, ("[^"]+"), \1, ' > out; fi
	[ ! -s out ] || say_wrong "$table.def: these names stand for themselves"
done
check 1 "/^<input>:1:45: error: 'file' has no member 'f_dentry' since 3.19" \
	-- $STAP -W -p2 -r "$KERNEL" -e 'probe kernel.function("vfs_read") { println($file->f_dentry) }'
check 0 '!f_dentry.*since' \
	-- $STAP -w -p2 -r "$KERNEL" -e 'probe kernel.function("vfs_read") { println($file->f_dentry) }'

# Each old member leads somewhere, or says where it went. Bit fields have no address, nor have numbers that are
# computed.
rows members | grep -vE '", "[^"]*[/%][0-9]+", ' |
	sed -nE 's/^ROW\("([^"]*)", "([^"]+)", "[^"]*", .*/probe begin { println(\&@cast(1, "\1")->\2) }/p' |
	sed 's/->\(.*\)\./->\1->/' > all.stp
$STAP -w -p2 -r "$KERNEL" all.stp > out 2> err
grep -E 'error: ' err |
	grep -vE "since [0-9.]+|bit field|no type '(scsi_|memdesc|xfs_|nfs_|rpc_|inode_state|file_ref)|held in a register" \
	> out
[ "$(grep -c . out)" -le 3 ] || { : > err; say_wrong "old members that lead nowhere, without a word why"; }

# Each old function leads to one that can be probed; a few do so in other kernels only.
rows functions |
	sed -nE 's/^ROW\(NULL, "([^"*]+)", "[^"]*", .*/probe kernel.function("\1") { println(pp()) }/p' > all.stp
$STAP -w -p2 -r "$KERNEL" all.stp > out 2> err
grep ' error: ' err > out
[ "$(grep -c . out)" -le 12 ] || { : > err; say_wrong "old functions that lead nowhere"; }

# C of the script meets the same.
check 1 "/^<input>:1:[0-9]+: note: there is no 'state' since 5.14 \\(2f064a59a11f\\); '__state' stands for it" \
	-- $STAP -r "$KERNEL" -p4 \
	-g -e '%{ #include <linux/sched.h> %} function f:long() %{ STAP_RETURN(current->state); %} probe begin { println(f()) }'
check 1 "/note: there is no 'bd_part' since 5.11; a partition is a block_device\$" \
	-- $STAP -r "$KERNEL" -p4 -g -e '%{ #include <linux/blkdev.h>
%} function f:long() %{ STAP_RETURN((long)((struct block_device *)0)->bd_part); %} probe begin { println(f()) }'
finish
