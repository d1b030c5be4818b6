# SPDX-License-Identifier: GPL-2.0-or-later
# The script of the demonstration (examples/app-trace) traces by BPF where there are no modules, and prints the same
# lines; the demonstration says which way it took.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: [ ! -e /sys/kernel/btf/vmlinux ] && echo "not here: the kernel does not tell its types"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"
needs_bpf 'probe kernel.trace("sys_enter") { exit() }'

app=$TOP/examples/app-trace
check 0 '/^total ' -- "$STAP" --runtime=bpf -G apps=other,python3 -t -o lines \
	-c "/usr/bin/python3 $TOP/tests/guest/examples/io.py" "$app/trace-io.stp"
sed -n 's/^ \* Test-expect: //p' "$app/trace-io.stp" > expected
[ -s expected ] || say_wrong "no lines are expected"
while read -r line; do
	grep -qE -- "$line" lines || say_wrong "no line: $line"
done < expected
! grep -v ' execname: python3 ' lines || say_wrong "lines of other programs"
awk '$1 == "total" { exit $2 != $3 + $4 + $5 }' err || say_wrong "the books do not add up"

if type -P fio > /dev/null && ! "$TOP/vm/takes-modules" > out; then
	check 0 '/^== .*: tracing on it by BPF$' '/^read ' '/^write ' '/^seek ' \
		'/^# scripts run without a module here' -- env "STAP=$STAP" "$app/demo.sh" demo
fi
finish
