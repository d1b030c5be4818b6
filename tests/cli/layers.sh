# SPDX-License-Identifier: GPL-2.0-or-later
# The translator's folders include only what stands above them in ARCHITECTURE.md's tree, and each of them stands there.
. "$TOP/tests/cli/expect.inc"
cd "$TOP" || exit

# FOLDER PLACE, from the lines "  folder/   what it is" below "translator/". Files without a folder are places, too.
awk '/^translator\// { inside = 1; next } inside && !/^ / { exit }
	inside && /^  [a-z]/ { sub(/\/$/, "", $1); print $1, ++n }' ARCHITECTURE.md > "$WORK/order"
{ find translator -name '*.h'; find translator -name '*.def'; } | sed 's|^translator/||' | sort > "$WORK/headers"
grep -rnE '^[[:space:]]*#[[:space:]]*include "' translator --include='*.[chyl]' |
	sed -E 's|^translator/([^:]*):([0-9]+):[^"]*"([^"]*)".*|\1 \2 \3|' > "$WORK/includes"
awk '
	function room(path) {
		if (path ~ /\//) sub(/\/[^\/]*$/, "", path)
		else sub(/\.[a-z]+$/, "", path)
		return path
	}
	FILENAME ~ /order$/ { place[$1] = $2; next }
	FILENAME ~ /headers$/ { is_own[$1] = 1; next }
	!is_own[$3] { next }
	!(room($1) in place) && !told[room($1)]++ { print "ARCHITECTURE.md does not have the folder " room($1) }
	place[room($3)] > place[room($1)] { print "translator/" $1 ":" $2 ": includes " $3 ", which stands higher" }
	{ seen++ }
	END { if (seen < 500) print seen + 0 " includes were looked at: too few" }' \
	"$WORK/order" "$WORK/headers" "$WORK/includes" > "$WORK/wrong"
[ ! -s "$WORK/wrong" ] || say_wrong "$(cat "$WORK/wrong")"
finish
