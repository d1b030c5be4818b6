# SPDX-License-Identifier: GPL-2.0-or-later
# [man error::NAME]: every page that a message names is there, and every page is named by a message.
. "$TOP/tests/cli/expect.inc"
user="$STAP --runtime=user"
hello='probe begin { exit() }'

{
	sed -nE 's/^PAGE\([A-Z0-9_]+, "([^"]+)"\)$/\1/p' "$TOP/translator/base/pages.def"
	grep -rhoE '\[man (error|warning)::[a-z0-9-]+\]' "$TOP"/{lib,runtime,trace,stap,stapio,staprun,translator,vm} |
		sed -E 's/\[man (.*)\]/\1/'
} | sort -u > named
ls "$TOP/man" | grep :: | sed 's/\.7stap$//' | sort > there
[ "$(wc -l < named)" -gt 10 ] || say_wrong "pages.def could not be read"
diff named there > out || say_wrong "man/ differs from the pages that messages name (<: named, >: there)"
# What they refer to is there as well.
grep -hoE '^\.BR (error|warning)::[a-z0-9-]+ \(7stap\)' "$TOP"/man/* | sed -E 's/\.BR (.*) .*/\1/' | sort -u > referred
comm -23 referred there > out
[ ! -s out ] || say_wrong "pages refer to pages that are not there"

# Which message names which.
check 1 '/^Pass 1: parse failed\.  \[man error::pass1\] \[stap --explain syntax\]$' -- $user -p1 -e 'probe'
check 1 '/^Pass 2: analysis failed\.  \[man error::pass2\] \[stap --explain unknown-function\]$' \
	-- $user -p2 -e 'probe begin { nothing_like_it() }'
check 1 '/^Pass 2: analysis failed\.  \[man error::pass2\] \[man error::contextvars\] \[stap --explain no-variable\]$' \
	-- $user -p2 -e 'probe begin { println($x) }'
check 1 '/\[man error::pass2\] \[man error::process-tracking\] ' \
	-- $user -p2 -e 'probe process("x").nothing("main") { }'
check 1 '/^Pass 3: translation failed\.  \[man error::pass3\] \[man error::resource-limits\] \[stap --explain option\]$' \
	-- $user -p3 -DMAXACTION=x -e "$hello"
check 1 '/^stap: the C compiler refused' '/\[man error::pass4\]$' \
	-- $user -p4 -g -e 'function f() %{ no C %} probe begin { f() }'
printf 'function f() %%{\n\tint c = ;\n%%}\nprobe begin { f() }\n' > wrong.stp
check 1 '/wrong.stp:2:[0-9]+: error: expected' -- $user -p4 -g wrong.stp
check 1 '/^ERROR: division by 0' '/^Pass 5: run failed\.  \[man error::pass5\]$' \
	-- $user -e 'global z probe begin { println(1 / z) }'
check 1 '/read fault \[man error::fault\]' -- $user -e 'probe begin { println(kernel_string(8)) }'
check 1 '/cannot read the script: nothing: .*\[man error::reading\]$' -- $user -p1 nothing
[ -z "$KERNEL" ] ||
	check 1 '/\[man error::dwarf\] \[stap --explain debuginfo\]$' \
	-- $STAP -r "$KERNEL" -p2 -e 'probe kernel.function("vfs_read@read_write.c:1") { }'
finish
