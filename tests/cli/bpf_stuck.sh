# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=bpf: the kernel ends a hit whose loops take too long (a quarter of a second from 6.15 on): the run names
# the probe and ends, whether the point has code of its own or several share one program; hits are still in the books.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"
needs_bpf 'probe kernel.trace("sys_enter") { exit() }'

loop='if (pid() != target()) next; for (i = 0; i < 2000000000; i++) n = n * 3 + i'
stuck() {
	check 1 "/^ERROR: kernel.trace\(\"sys_enter\"\): a loop of the runtime took too long$" '/^total ' '!^ended' -- \
		"$STAP" --runtime=bpf -g -DMAXACTION=2000000000 -w -t -c 'cat /etc/passwd' -e "global n, m $1"
	awk '/^total/ { total = 1; exit !($2 == $3 + $4 + $5) } END { exit !total }' err ||
		say_wrong "books: $(cat err)"
}
stuck "probe kernel.trace(\"sys_enter\") { $loop }"
stuck "probe kernel.trace(\"sys_enter\") { $loop } probe timer.ms(50) { m++ } probe begin { m++ }"
for _ in 1 2 3 4 5; do more+=' probe kernel.trace("sched_switch") { m++ }'; done
stuck "probe kernel.trace(\"sys_enter\") { $loop } $more"
finish
