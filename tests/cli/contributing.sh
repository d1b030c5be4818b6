# SPDX-License-Identifier: GPL-2.0-or-later
# CONTRIBUTING.md is true: the files that it names are there, and where it says that a missing row stops the compiler, a
# row without the rest does.
. "$TOP/tests/cli/expect.inc"
cd "$WORK" || exit

# Words between backticks that are paths: with a '/', beside words in capitals and options.
grep -oE '`[^` ]+/[^` ]*`' "$TOP/CONTRIBUTING.md" | tr -d '`' | sed 's/#.*//' | sort -u | while read -r path; do
	case $path in *[A-Z][A-Z]* | *=* | build/* | -*) continue ;; esac
	compgen -G "$TOP/$path" > found || compgen -G "$TOP/translator/$path" > found ||
		echo "CONTRIBUTING.md names $path, which is not there"
done > missing
[ ! -s missing ] || say_wrong "$(cat missing)"

# without TABLE ROW FILE MESSAGE: with that row more in the table the file does not compile, and the compiler says so.
without() {
	rm -rf more && mkdir -p "more/$(dirname "$1")"
	for dir in translator runtime; do [ ! -e "$TOP/$dir/$1" ] || cp "$TOP/$dir/$1" "more/$1"; done
	compiles "$3" || say_wrong "$3 does not compile as it is: $(cat err)"
	echo "$2" >> "more/$1"
	! compiles "$3" || say_wrong "$3 compiles and links with '$2' in $1 and nothing else"
	grep -qE "$4" err || say_wrong "$3 with '$2' in $1: $(cat err)"
}
# The table's copy is found before the original, as the includes name it from the top of either tree.
compiles() {
	gcc -std=gnu11 -w -c -o object.o -Imore -I"$TOP/include" -I"$TOP/translator" -I"$TOP/runtime" -I"$TOP" \
		"$TOP/$1" 2> err || return
	# A family is declared by its row and defined by its file: the linker misses it.
	! nm -u object.o | grep dummy > err
}
without probe/families.def 'FAMILY(dummy)' translator/probe/probe.c probe_family_dummy
without ast/kinds.def 'NODE(DUMMY, "dummy")' translator/lang/table.c ROW_DUMMY
without uapi/printf.def "CONVERSION(DUMMY, 'y', 'd', \"number\")" runtime/core/printf.c \
	'static assertion|out_dummy|DUMMY'
without base/options.def "FLAG(0, \"dummy\", dummy, \"does nothing\")" translator/base/options.c dummy
without base/options.def "OPTION(0, \"dummy\", NULL, dummy, \"does nothing\")" translator/base/options.c set_dummy
finish
