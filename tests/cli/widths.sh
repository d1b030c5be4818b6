# SPDX-License-Identifier: GPL-2.0-or-later
# Code is at most 100 columns wide and lines of comments 90, a tab being 8; tables (grammar.y, *.def) are left out.
cd "$TOP" || exit
find translator runtime stapio staprun dtrace tools tests/unit tests/fuzz -name '*.[ch]' ! -path 'runtime/former/*' |
	sort | while read -r file; do
	expand "$file" | awk -v file="$file" '
		{ width = length($0); gsub(/[\200-\277]/, ""); width = length($0) }
		width > (/^ *(\/\*|\* |\/\/)/ ? 90 : 100) { print file ":" NR ": " width " columns" }'
done > "$WORK/wide"
head -n 20 "$WORK/wide"
[ "$(find translator -name '*.c' | wc -l)" -gt 100 ] && [ ! -s "$WORK/wide" ]
