# SPDX-License-Identifier: GPL-2.0-or-later
# runtime/parts.def knows each name of the runtime that the translator writes into the C file, names nothing that the
# runtime does not have, and its parts are objects. families_alone.sh links modules by it.
. "$TOP/tests/cli/expect.inc"
cd "$TOP" || exit

grep -oE '^NAMES?\([a-z0-9_]+' runtime/parts.def > "$WORK/rows"
grep -oE '^FAMILY\([a-z]+' runtime/probe/families.def | sed 's/FAMILY(/NAME(family_/' >> "$WORK/rows"

# Names in quotes, but types; _stp_print of old C and stp_command, which scripts are searched for, only look so. A name
# that ends in %s is finished while it is written: then emit/linkparts.c refuses those that are not there.
find translator/{lang,emit,module,probe,regex,unwind} -name '*.c' -o -name '*.def' | xargs grep -hoE '"([^"\\]|\\.)*"' |
	grep -oE '((struct|enum|union) |[a-z_])?stp_[a-z0-9_]*(%[.*a-z])?' | grep -E '^stp_[a-z]' |
	grep -vE '%|^stp_(command|shape|enumerator)$' | sort -u > "$WORK/written"
awk -F'[(]' '
	FILENAME ~ /rows$/ { $1 == "NAME" ? name[$2] : beginning[$2]; next }
	{ word = substr($1, 5); seen++ }
	word in name { next }
	{ for (b in beginning) if (index(word, b) == 1 || b == word "_") next
	  print "stp_" word " is written, and runtime/parts.def does not have it" }
	END { if (seen < 60) print seen + 0 " names were found in the translator: too few" }' \
	"$WORK/rows" "$WORK/written" > "$WORK/wrong"
[ ! -s "$WORK/wrong" ] || say_wrong "$(cat "$WORK/wrong")"

# A call that was renamed in a header is not there any more.
cat runtime/api.h runtime/{api,core,kernel,probe,uapi,syscall}/*.h |
	grep -oE '\bstp_[a-z0-9_]+' | sort -u > "$WORK/declared"
while IFS='(' read -r kind name; do
	case $kind:$name in
	NAME:family_* | NAME:*_part) grep -rqw "stp_$name" runtime --include='*.c' ;;
	NAME:*) grep -qx "stp_$name" "$WORK/declared" ;;
	*) grep -q "^stp_$name" "$WORK/declared" ;;
	esac || say_wrong "runtime/parts.def: there is no stp_$name in the runtime"
done < "$WORK/rows"
[ "$(wc -l < "$WORK/rows")" -gt 80 ] || say_wrong 'runtime/parts.def has too few rows'

for object in $(sed -n 's/^PART([A-Z_]*, \([a-z_]*\))/\1/p' runtime/parts.def) points; do
	[ -e "runtime/objects/$object.c" ] || say_wrong "runtime/objects/$object.c is not there"
done
finish
