# SPDX-License-Identifier: GPL-2.0-or-later
# Code is at most 100 columns wide and lines of comments 90, shell and awk 120, a tab being 8. Tables (grammar.y, *.def)
# are left out, and lines of shell that consist mostly of one quoted text: a break would not help them.
cd "$TOP" || exit
too_wide() { # FILE, the awk program's conditions: `wide` is how wide a line may be
	expand "$1" | awk -v file="$1" '
		function beside_text(line,  longest, rest) {
			rest = line
			while (match(rest, /"([^"\\]|\\.)*"|\047[^\047]*\047/)) {
				if (RLENGTH > longest) longest = RLENGTH
				rest = substr(rest, RSTART + RLENGTH)
			}
			return length(line) - longest
		}
		{ gsub(/[\200-\277]/, "") }
		'"$2"'
		length($0) > wide { print file ":" NR ": " length($0) " columns" }'
}
find lib runtime cfi trace translator stap staprun stapio merge lket exporter container dtrace tools tests/{unit,fuzz} \
	-name '*.[ch]' ! -path 'runtime/former/*' | sort > "$WORK/c"
while read -r file; do
	too_wide "$file" '{ wide = /^ *(\/\*|\* |\/\/)/ ? 90 : 100 }'
done < "$WORK/c" > "$WORK/wide"
{
	find tests tools vm -name '*.sh' -o -name '*.inc' -o -name '*.awk'
	grep -rlE '^#!/bin/(ba)?sh' tests tools vm .ci
} | sort -u > "$WORK/shell"
while read -r file; do
	too_wide "$file" '{ wide = length($0) <= 120 || beside_text($0) > 40 ? 120 : length($0) }'
done < "$WORK/shell" >> "$WORK/wide"
head -n 20 "$WORK/wide"
[ "$(grep -c . "$WORK/c")" -gt 500 ] && [ "$(grep -c . "$WORK/shell")" -gt 150 ] && [ ! -s "$WORK/wide" ]
