# SPDX-License-Identifier: GPL-2.0-or-later
# The code of a hit has no stack protector: taking the address of a variable on its stack would add one to the hits of
# all scripts, 7 instructions each.
# skip: no_kernel || no_program objdump
. "$TOP/tests/cli/expect.inc"
"$STAP" -r "$KERNEL" -p4 -m t_hits -e 'global n probe kernel.function("vfs_read") { n++ }
	probe kernel.function("vfs_write") { printf("%d\n", pid()) }' > out 2>&1 || say_wrong "$(cat out)"
for hit in traced_0 traced_1; do
	objdump -d --no-show-raw-insn --disassemble="$hit" t_hits.ko > code
	[ "$(grep -c '^ ' code)" -gt 40 ] || say_wrong "$hit: not the code of a hit: $(cat code)"
	! grep -E '%gs:(0x28\b|.*stack_chk_guard)' code > found || say_wrong "$hit: $(cat found)"
done
finish
