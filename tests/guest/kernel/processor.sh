#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A guest's processor has cmpxchg16b: kernels since 7.2 refuse BPF's arenas without it. The flag that code tests after
# it is right, emulated or not.
# arch: x86_64
# skip: no_program gcc
grep -qw cx16 /proc/cpuinfo || { echo "no cx16: $(grep -m 1 flags /proc/cpuinfo)"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/swap.c" <<'END'
#include <stdint.h>
#include <stdio.h>

static uint64_t word[2] __attribute__((aligned(16)));

/* Swaps the two words if the first is `low`; the flags before are those of a sum that overflows. */
static int swap(uint64_t low)
{
	uint64_t high = 2;
	unsigned char swapped;

	word[0] = 1;
	word[1] = 2;
	asm volatile("mov %[x], %%r8\n add %%r8, %%r8\n lock cmpxchg16b %[m]\n sete %[swapped]"
		     : [m] "+m"(word), "+a"(low), "+d"(high), [swapped] "=q"(swapped)
		     : "b"(3ul), "c"(4ul), [x] "r"(0x8000000000000000ul)
		     : "r8", "cc", "memory");
	return swapped;
}

int main(void)
{
	for (int i = 0; i < 100000; i++) {
		if (!swap(1) || word[0] != 3 || word[1] != 4)
			return printf("round %d: equal, and not swapped\n", i);
		if (swap(7) || word[0] != 1 || word[1] != 2)
			return printf("round %d: not equal, and swapped\n", i);
	}
	return 0;
}
END
gcc -O1 -o "$dir/swap" "$dir/swap.c" && "$dir/swap"
