# SPDX-License-Identifier: GPL-2.0-or-later
# Units of newer languages' numbers, and of DWARF 6's names in their place: scopes, parameters by convention.
. "$TOP/tests/cli/expect.inc"
cat > scoped.cc <<'END'
namespace outer {
struct freed { int a; ~freed() {} };
struct inner { int held(freed f, int n); };
int inner::held(freed f, int n) { return f.a + n; }
}
int main() { outer::inner i; return i.held(outer::freed{3}, 4); }
END
cat > plain.c <<'END'
struct three { int a, b, c; };
int held(struct three t, int n) { return t.c + n; }
int main(void) { struct three t = { 1, 2, 3 }; return held(t, 4); }
END
# built LANGUAGE SOURCE: builds ./prog, whose units have a number, or "name N", of a language.
built() {
	${CC:-gcc} -g -gdwarf-5 -O0 -S -dA -o prog.s "$2" || return 1
	case $1 in
	name*)
		sed -E -i "s/^(\t\.uleb128 )0x13(\t.*DW_AT_language.*)/\10x90\2/
			s/^(\t\.byte\t).*(\t.*DW_AT_language)/\1${1#name }\2/" prog.s
		;;
	*) sed -E -i "s/^(\t\.byte\t).*(\t.*DW_AT_language)/\1$1\2/" prog.s ;;
	esac
	${CC:-gcc} -o prog prog.s
}
for language in 0x21 0x2a 0x2b 0x3a 'name 4'; do
	built "$language" scoped.cc || say_wrong "$language: scoped.cc cannot be built"
	check 0 '/function\("outer::inner::held@.*\$this:struct outer::inner.* \$n:int' \
		-- "$STAP" -L 'process("./prog").function("outer::inner::held")'
	check 0 -- "$STAP" -r "$KERNEL" -p2 \
		-e 'probe process("./prog").function("outer::inner::held").return { println($n) }'
done
for language in 0x1d 0x2c 0x3e 'name 3'; do
	built "$language" plain.c || say_wrong "$language: plain.c cannot be built"
	check 0 -- "$STAP" -r "$KERNEL" -p2 -e 'probe process("./prog").function("held").return { println($n) }'
done
finish
