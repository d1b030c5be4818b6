# SPDX-License-Identifier: GPL-2.0-or-later
# /proc/kallsyms, without modules and sorted by address, becomes assembler that defines its functions in a section of
# their size. Numbers of awk hold 53 bits: of the addresses the lower 32 are taken.
function hex(text, i, n) {
	for (i = 1; i <= length(text); i++) n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}

$2 ~ /^[tT]$/ && $1 ~ /^ffffffff/ && !seen[$3]++ {
	if (!n) print "# begins at " $1
	name[++n] = $3
	at[n] = hex(substr($1, 9))
}

END {
	print ".text\nbase:"
	for (i = 1; i <= n; i++) {
		printf ".globl \"%s\"\n.type \"%s\", @function\n", name[i], name[i]
		printf ".set \"%s\", base + %d\n", name[i], at[i] - at[1]
		if (at[i + 1] > at[i])
			printf ".size \"%s\", %d\n", name[i], at[i + 1] - at[i]
	}
	printf ".skip %d\n", at[n] - at[1] + 64
}
