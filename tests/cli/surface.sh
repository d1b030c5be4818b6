# SPDX-License-Identifier: GPL-2.0-or-later
# Each point of surface.txt exists with its variables and their types, except those with a reason in surface_absent.txt;
# nd_syscall.* and tp_syscall.* have the same variables as syscall.*. SURFACE=FILE: writes all differences, and counts
# by family, there.
. "$TOP/tests/cli/expect.inc"
list=$TOP/tests/cli/surface.txt

# The library's points of Python are marks, which not each distribution's Python has.
if (cd "$TOP" && . tests/lib.sh && no_marker /usr/bin/python3 function__entry) > without; then
	sed 's/python\.function\.[a-z]* *//g' "$list" > list
	list=$PWD/list
fi
sed '/^#/d; s/:.*//; s/ /\n/g' "$list" | sort -u > points
families=$(grep -F . points | grep -v '^stap' | sed 's/\..*//' | sort -u)
for family in $families nd_syscall tp_syscall; do
	$STAP -r "$KERNEL" -L "$family.**"
done > listed 2> err
[ ! -s err ] || say_wrong "a family cannot be listed"
# What a pattern does not find may be there by its name: marks of programs, ends that never come.
awk '{ print $1 }' listed | sort -u | comm -23 points - | while read -r point; do
	! PATH=$(dirname "${STAP%% *}"):$PATH $STAP -r "$KERNEL" -l "$point" > found 2>&1 || echo "$point"
done > named
cat named >> listed
awk -v report=counts -v "kernel=$KERNEL" -f "$TOP/tests/cli/surface.awk" "$TOP/tests/cli/surface_absent.txt" listed \
	"$list" > out
[ -z "${SURFACE-}" ] || sort out counts > "$SURFACE"
[ ! -s out ] || say_wrong "$(wc -l < out) points and variables are not as in surface.txt"

# A call by its name as a string, patterns too.
$STAP -r "$KERNEL" -L 'tp_syscall.re*' > want
check 0 '/^tp_syscall.read ' -- $STAP -r "$KERNEL" -L 'tp_syscall("re*")'
diff want out > differs || say_wrong "tp_syscall(\"re*\"): $(head -n 3 differs)"
check 0 '/^tp_syscall.read.return .* retval:long' -- $STAP -r "$KERNEL" -L 'tp_syscall("read").return'
check 1 "/did you mean 'tp_syscall.read" -- $STAP -r "$KERNEL" -L 'tp_syscall("reed")'
check 0 '/^tp_syscall\(string\)\.return$' -- $STAP --dump-probe-types
# What a point has is told where a name means nothing there.
check 1 "/'bytes_to_raed' is never assigned; did you mean 'bytes_to_read'; 'vfs.read' has name, file, .* and argstr$" -- \
	$STAP -r "$KERNEL" -p2 -e 'probe vfs.read { println(bytes_to_raed) }'
finish
