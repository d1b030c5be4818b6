# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=bpf: a handler that may continue at more places than the verifier lets branches wait to be followed, 8192.
# skip: is_slow "clang takes a minute for a handler of 8400 calls"
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"
needs_bpf 'probe begin { exit() }'

{
	echo 'global x function f(n) { return n ? f(n - 1) : 1 } probe begin {'
	for ((i = 0; i < 8400; i++)); do echo 'x += f(1)'; done
	echo 'println(x) exit() }'
} > calls.stp
check 0 '/^8400$' -- "$STAP" --runtime=bpf -DMAXACTION=10000000 calls.stp
finish
