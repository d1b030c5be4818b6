# SPDX-License-Identifier: GPL-2.0-or-later
# Rust functions are found by their names, with and without debuginfo. The tables of symbols have C++, Rust and Go names
# as in the source, or symbols with --no-demangle; the cache keeps both.
# skip: no_kernel || no_program g++ strings
. "$TOP/tests/cli/expect.inc"

# shown PROGRAM [OPTION]: prints the strings of a module with the program's table
shown() {
	rm -f shown.ko
	"$STAP" -p4 -m shown -r "$KERNEL" -d "./$1" ${2+"$2"} -e 'probe timer.s(1) { print_ubacktrace() }' \
		> out 2> err || say_wrong "no table of $1"
	strings -a -n 3 shown.ko
}

cat > app.cc <<'E2'
#include <stdexcept>
namespace shop {
int sink;
struct Order { int n; __attribute__((noinline)) int total(int k) const { sink += k; return sink; } };
__attribute__((noinline)) int total(int n) { sink += n; return sink; }
template <typename T> __attribute__((noinline)) T scale(T v) { sink++; return v * 2; }
}
int main(int argc, char **argv)
{
	shop::Order o{1};
	if (argc == 7)
		throw std::runtime_error("x");
	return o.total(argc) + shop::total(1) + shop::scale<long>(argc);
}
E2
g++ -O1 -o app app.cc || exit
for round in first cached; do
	shown app > names
	for name in 'shop::Order::total' 'shop::total' 'shop::scale<long>' 'typeinfo for std::runtime_error'; do
		grep -qxF "$name" names || { cp names out; say_wrong "$round: the table lacks $name"; }
	done
	! grep -q _ZN4shop names || say_wrong "$round: a name is mangled"
	shown app --no-demangle > names
	grep -qx _ZN4shop5totalEi names || { cp names out; say_wrong "$round: --no-demangle"; }
	! grep -q shop:: names || say_wrong "$round: --no-demangle, and a name is demangled"
done

# ---- Rust ----

rustc=$(type -P rustc ~root/.cargo/bin/rustc | head -n 1)
[ -n "$rustc" ] || { finish; exit; }
"$rustc" -C symbol-mangling-version=v0 -C opt-level=1 -g -o names_v0 --crate-name names \
	"$TOP/tests/guest/programs/user/names.rs" || exit
"$rustc" -C opt-level=1 -g -o names_older --crate-name names "$TOP/tests/guest/programs/user/names.rs" || exit
for program in names_v0 names_older; do
	strip -g -o "${program}_bare" "$program"
	shown "$program" > names
	for name in 'names::leaf' '<names::Order as names::Handler>::handle' '<[u8; 4] as names::Handler>::handle'; do
		grep -qxF "$name" names || { cp names out; say_wrong "$program: the table lacks $name"; }
	done
	! grep -q '_ZN5names\|_RNvCs' names || say_wrong "$program: a name is mangled"
done
# A pattern, what it finds with debuginfo, and without: with types of instances in the newer mangling only. =: the
# pattern; +: the same as with debuginfo.
for program in names_v0 names_older names_v0_bare names_older_bare; do
	while IFS='|' read -r pattern known bare newer; do
		case $program in
		names_v0_bare) want=${newer:-$bare} ;;
		names_older_bare) want=$bare ;;
		*) want=$known ;;
		esac
		case $want in
		=) want=$pattern ;;
		+) want=$known ;;
		esac
		got=$("$STAP" -r "$KERNEL" -l "process(\"./$program\").function(\"$pattern\")" 2> err |
			sed 's/.*function("//; s/@.*//; s/")$//' | sort -u | tr '\n' ' ')
		[ "$got" = "$want " ] || say_wrong "$program: '$pattern' finds '$got', not '$want'"
	done <<'E3'
names::leaf|names::leaf|names::leaf
leaf|leaf|names::leaf
names::generic|names::generic<names::Kind> names::generic<u8>|names::generic|+
<names::Order as names::Handler>::handle|=|=
<*Order as *>::handle|<names::Order as names::Handler>::handle|<names::Order as names::Handler>::handle
Order::total|Order::total|names::Order::total
names::Order::total|names::Order::total|names::Order::total
<names::Order>::total|names::Order::total|names::Order::total
E3
	[ "$program" = names_older_bare ] && continue
	check 0 '/generic<names::Kind>' '!u8' -- "$STAP" -r "$KERNEL" \
		-l "process(\"./$program\").function(\"names::generic::<names::Kind>\")"
done
finish
