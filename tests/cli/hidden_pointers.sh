# SPDX-License-Identifier: GPL-2.0-or-later
# Parameters that LLVM passes by a hidden pointer in code without optimisation, and those beside them: values at the
# entry and, in C++, at the return. clang 14 describes such a parameter
# by a list of places, which may begin after the entry.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: [ ! -e /sys/kernel/btf/vmlinux ] && echo "not here: the kernel does not tell its types"
. "$TOP/tests/cli/expect.inc"

cat > hidden.cc <<'END'
#include <string>
struct freed { int a; ~freed() {} };
__attribute__((noinline)) long text_first(std::string s, int n, const char *c) { return s.size() + n + c[0]; }
__attribute__((noinline)) long with_class(freed f, int n) { return f.a + n; }
__attribute__((noinline)) std::string returned(std::string s, int n) { if (n == 3) throw 1; return s + "x"; }
__attribute__((noinline)) static long many(long a, freed f, long c, long d, long e, long g, long h, const char *last)
{ return a + f.a + c + d + e + g + h + last[0]; }
struct own { int q = 6; __attribute__((noinline)) long method(std::string s, int n) { return q + s.size() + n; } };
int main()
{
	own o;
	returned("third", 9);
	return text_first("abc", 5, "zz") + with_class(freed{7}, 8) + o.method("mm", 4) +
		many(1, freed{2}, 3, 4, 5, 6, 7, "end") < 0;
}
END
cat > hidden.stp <<'END'
probe process.function("text_first"), process.function("text_first").return,
	process.function("with_class"), process.function("with_class").return, process.function("many"),
	process.function("many").return, process.function("returned"), process.function("own::method"),
	process.function("own::method").return {
	printf("%s %s\n", pn(), $$parms$)
}
probe process.function("returned").return { printf("%s %d %s\n", pn(), $n, $return$) }
END
built=
for form in 'clang++-14 -gdwarf-5' 'clang++-14 -gdwarf-4' 'clang++-14 -fstandalone-debug' clang++-19 g++; do
	$form -w -g -O0 -o hidden hidden.cc 2> err || continue
	built=1
	check 0 -- "$STAP" --runtime=bpf hidden.stp -c ./hidden
	sort -u out | sed 's/process([^)]*)\.function("\([^@"]*\)[^)]*)/\1/' > values
	cat > wanted <<'END'
many a=1 f={.a=2} c=3 d=4 e=5 g=6 h=7 last="end"
many.return a=1 f={.a=2} c=3 d=4 e=5 g=6 h=7 last="end"
own::method this={.q=6} s="mm" n=4
own::method.return this={.q=6} s="mm" n=4
returned s="third" n=9
returned.return 9 "thirdx"
text_first s="abc" n=5 c="zz"
text_first.return s="abc" n=5 c="zz"
with_class f={.a=7} n=8
with_class.return f={.a=7} n=8
END
	diff wanted values > err || say_wrong "$form: $(cat err)"
done
[ -n "$built" ] || say_wrong "no compiler builds the program: $(cat err)"

command -v rustc > /dev/null || finish
cat > hidden.rs <<'END'
pub struct Small { pub a: u32, pub b: u32 }
pub struct Mixed { pub a: u8, pub b: u64 }
#[inline(never)] pub fn structures(p: Small, q: Mixed, n: i32, m: i32, z: u8) -> i8 {
    (p.b + q.a as u32) as i8 + n as i8 + m as i8 + z as i8 }
#[inline(never)] pub fn slices(s: &str, o: Option<&str>, t: &str, z: u8) -> usize {
    s.len() + o.map_or(0, |x| x.len()) + t.len() + z as usize }
#[inline(never)] pub fn array(a: [u64; 3], u: u128, t: (u8, u8, u8), z: u8) -> u64 {
    a[1] + u as u64 + t.1 as u64 + z as u64 }
fn main() {
    println!("{}", structures(Small { a: 1, b: 2 }, Mixed { a: 3, b: 4 }, 8, 7, 9) as usize +
        slices("abc", Some("xy"), "second", 4) + array([1, 2, 3], 77, (4, 5, 6), 7) as usize);
}
END
rustc -g -o hidden_rs hidden.rs 2> err || say_wrong "rustc: $(cat err)"
check 0 '/array a=\[1, [^ ]* u=77 t=\(4, 5, 6\) z=7$' '/slices s="abc" o=Some\("xy"\) t="second" z=4$' \
	'/structures p=\{.a=1, .b=2\} q=\{.a=3, .b=4\} n=8 m=7 z=9$' -- "$STAP" --runtime=bpf -c ./hidden_rs \
	-e 'probe process.function("hidden::*@hidden.rs") { printf("%s %s\n", ppfunc(), $$parms$$) }'
finish
