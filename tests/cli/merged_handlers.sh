# SPDX-License-Identifier: GPL-2.0-or-later
# Handlers that differ only in constants are merged: the cost of many places in code, time and size of the module.
# skip: no_kernel || no_debuginfo
# debuginfo: yes
# guards: translator/opt translator/module translator/emit translator/sem
. "$TOP/tests/cli/expect.inc"

handlers() { grep -c '^static void handler_[0-9]*(struct stp_ctx \*c)$' "$1"; }

# at_most WHAT NUMBER LIMIT
at_most() { [ "$2" -gt 0 ] && [ "$2" -le "$3" ] || say_wrong "$1: $2, more than $3"; }

"$STAP" -r "$KERNEL" -p3 \
	-e 'probe kernel.function("vfs_*").return { if (@defined($return)) println(ppfunc(), $return) }' > vfs.c 2> err
at_most "handlers of vfs_*" "$(handlers vfs.c)" 2

# A call graph with its values: 8,000 places, whose parameters lie in registers, on the stack, and nowhere.
cat > graph.stp <<'EOS'
probe kernel.function("*@fs/*").call { printf("%s -> %s %s\n", thread_indent(1), ppfunc(), $$parms) }
probe kernel.function("*@fs/*").return { printf("%s <- %s %s\n", thread_indent(-1), ppfunc(), $$return) }
EOS
"$STAP" -r "$KERNEL" -p3 graph.stp > graph.c 2> err
at_most "handlers of the call graph" "$(handlers graph.c)" 20
TIMEFORMAT=%U
# Another text each time: what a run before has left in the cache takes no time.
seconds=$({ time "$STAP" -r "$KERNEL" -p4 -m graph --modinfo "run=$$.$RANDOM" graph.stp > out 2> err; } 2>&1)
[ -s graph.ko ] && at_most "bytes of its module" "$(stat -c %s graph.ko)" 3000000
at_most "seconds of processor time for it" "${seconds%.*}" 60

# What of all variables is not there is nobody's question: 700 places took 3,400 MB to find out where it is.
"$STAP" -v -r "$KERNEL" -p2 -e 'probe kernel.function("*@fs/ext4/*.c").call { println(ppfunc(), $$vars) }' > vars.txt \
	2> err
at_most "megabytes for all variables" "$(sed -n 's/^Pass 2: .* \([0-9]*\) MB\.$/\1/p' err)" 400

# Functions that use target variables are parts of the handlers that call them.
"$STAP" -r "$KERNEL" -p3 -e 'function parms() { return $$parms } function shown() { return ppfunc() . parms() }
	probe kernel.function("*@fs/ext4/*").call { println(shown()) }' > parts.c 2> err
at_most "handlers with functions" "$(handlers parts.c)" 20
at_most "their functions" "$(grep -c '^static struct stp_str [fk]_.*)$' parts.c)" 45

# Few places have code of their own, with constants in it; equal ones share that, too.
cat > few.stp <<'EOS'
probe kernel.function("vfs_read").return, kernel.function("vfs_write").return,
	kernel.function("vfs_fsync").return { println($return) }
probe kernel.function("vfs_read"), kernel.function("vfs_write") { println($count) }
EOS
"$STAP" -r "$KERNEL" -p3 few.stp > few.c 2> err
[ "$(handlers few.c)" = 3 ] && ! grep -q 'rows_' few.c || say_wrong "few.c: $(handlers few.c) handlers"
finish
