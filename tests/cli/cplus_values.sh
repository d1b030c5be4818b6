# SPDX-License-Identifier: GPL-2.0-or-later
# Small structures and classes of C++ as results, with the parameters of such functions at their returns. They are read
# under --runtime=bpf, which has no registers of floating-point numbers: those are in tests/guest/user/user_results.stp.
# skip: [ "$(uname -m)" != x86_64 ] && echo "not here: this is about registers and instructions of x86_64"
# skip: ! command -v g++ > /dev/null && echo "g++ is not there"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"

compilers=g++
! command -v clang++-19 > /dev/null || compilers+=' clang++-19'
for compiler in $compilers; do
	for how in -O0 -O2; do
		$compiler -w -g $how -o "results$how-$compiler" "$TOP/tests/guest/programs/user/results.cpp" ||
			say_wrong "$compiler $how: results.cpp"
		for function in integers destroyed copied pinned moved; do
			check 0 -- "$STAP" --runtime=bpf -p2 -e 'probe process(@1).function(@2).return {
				println($return$, $n) }' "./results$how-$compiler" get_$function
		done
		for function in doubles number_first double_first floats three nested; do
			check 1 '/needs a module, .*: --runtime=bpf has no vector registers' -- "$STAP" --runtime=bpf \
				-p2 -e 'probe process(@1).function(@2).return {
				println($return$, $n) }' "./results$how-$compiler" get_$function
		done
	done
done

# gcc does not say before DWARF 5 which functions are the compiler's own: where the result goes is not certain.
g++ -gdwarf-4 -O0 -o old "$TOP/tests/guest/programs/user/results.cpp" || say_wrong "g++ -gdwarf-4"
later='probe a statement after its first instructions, which can keep it by thread for a probe of the return'
check 1 "/'\\\$n' of 'get_destroyed' at .*: the function has not stored it .*; $later" -- "$STAP" --runtime=bpf -p2 -e '
	probe process("./old").function("get_destroyed").return { println($n) }'
unknown="the result of 'get_[a-z]*' is not certain: debuginfo of this version does not tell whether its class is"
for how in -O0 -O2; do
	g++ -w -gdwarf-4 $how -o "old$how" "$TOP/tests/guest/programs/user/results.cpp" ||
		say_wrong "g++ -gdwarf-4 $how"
	for function in destroyed copied holder; do
		check 1 "/$unknown returned in registers; compile with -gdwarf-5" -- "$STAP" --runtime=bpf -p2 -e '
			probe process(@1).function(@2).return { println($return$) }' "./old$how" get_$function
	done
	check 0 -- "$STAP" --runtime=bpf -p2 -e '
		probe process(@1).function("get_integers").return { println($return$, $$return) }
		probe process(@1).function("get_destroyed").return { println($$return) }' "./old$how"
done

# gcc drops results that nobody uses from its copies of functions.
cat > lost.c <<'END'
volatile int s;
static __attribute__((noinline)) int lost(int n) { s++; return n + 1; }
static __attribute__((noinline)) int kept(int n, int m) { s += m; return n + s; }
int main(int argc, char **argv) { lost(3); lost(argc + 4); return kept(argc, 5) + kept(argc + 1, 5); }
END
gcc -O2 -g -o lost lost.c || say_wrong "gcc: lost.c"
if nm lost | grep -q ' lost\.isra' && nm lost | grep -q ' kept\.constprop'; then
	check 1 "/the result of 'lost' is not certain: the compiler made a copy of the function, which may have no" -- \
		"$STAP" --runtime=bpf -p2 -e 'probe process("./lost").function("lost").return { println($return) }'
	check 0 -- "$STAP" --runtime=bpf -p2 -e 'probe process("./lost").function("lost").return { println($$return) }
		probe process("./lost").function("kept").return { println($return) }'
fi

# Rust returns pairs of small numbers in two registers, and structures of three in memory. Where rustc -O puts larger
# results (at level 3), a register says at the entry alone.
rust=
if command -v rustc > /dev/null; then
	cat > pairs.rs <<'END'
use std::hint::black_box;
pub struct Pair { pub a: u32, pub b: u32 }
pub struct Words { pub a: u8, pub b: u64 }
pub struct Three { pub a: u16, pub b: u8, pub c: u8 }
pub struct Large { pub a: u32, pub b: u32, pub c: u32 }
#[repr(align(16))] pub struct Aligned { pub a: u64, pub b: u64 }
pub struct One(pub i32);
#[inline(never)] pub fn tuple(n: i32) -> (i32, u8) { black_box((n, 7)) }
#[inline(never)] pub fn option(n: i32) -> Option<i32> { black_box(Some(n)) }
#[inline(never)] pub fn result(n: i32) -> Result<i32, i32> { black_box(Err(n)) }
#[inline(never)] pub fn letter(n: i32) -> (bool, char) { black_box((n > 1, 'x')) }
#[inline(never)] pub fn pair(n: i32) -> Pair { black_box(Pair { a: n as u32, b: 7 }) }
#[inline(never)] pub fn large(n: i32) -> Large { black_box(Large { a: n as u32, b: 7, c: 8 }) }
#[inline(never)] pub fn aligned(n: i32) -> Aligned { black_box(Aligned { a: n as u64, b: 7 }) }
#[inline(never)] pub fn either(n: i32) -> Result<u64, f64> { black_box(Ok(n as u64)) }
#[inline(never)] pub fn words(n: i32) -> Words { black_box(Words { a: n as u8, b: 7 }) }
#[inline(never)] pub fn three(n: i32) -> Three { black_box(Three { a: n as u16, b: 7, c: 8 }) }
#[inline(never)] pub fn one(n: i32) -> One { black_box(One(n)) }
#[inline(never)] pub fn maybe(n: i32) -> Option<bool> { black_box(Some(n > 1)) }
#[inline(never)] pub fn text(_n: i32) -> Option<&'static str> { black_box(Some("five")) }
#[inline(never)] pub fn wide(n: i32) -> Option<u64> { black_box(Some(n as u64)) }
#[inline(never)] pub fn checked(n: i32) -> Result<u64, String> {
	if n > 0 { Ok(n as u64) } else { Err(format!("not {}", n)) } }
#[inline(never)] pub fn joined(s: &str, n: i32) -> String { format!("{}-{}", s, n) }
fn main() {
	let n = black_box(5);
	black_box((tuple(n), option(n), result(n), letter(n), pair(n), large(n), aligned(n)));
	black_box((words(n), three(n), one(n), maybe(n), text(n), wide(n), either(n)));
	println!("{:?} {:?} {}", checked(n), checked(-n), joined("five", n));
}
END
	for level in 0 2 3; do
		rustc -g -C opt-level=$level -o pairs$level pairs.rs 2> /dev/null || continue
		rust+=" $level"
		for function in tuple option result letter pair large aligned either; do
			check 1 "/the result of '[a-z:]*$function' is not certain: Rust returns small structures in ways of" -- \
				"$STAP" --runtime=bpf -p2 -e 'probe process(@1).function(@2).return {
				println($return$) }' ./pairs$level "pairs::$function"
		done
	done
fi

[ "$(id -u)" = 0 ] && [ -e /sys/kernel/btf/vmlinux ] || { finish; exit; }
needs_bpf 'probe process("./results-O0-g++").function("main") { exit() }'
for compiler in $compilers; do
	check 0 '/^integers \{.a=2, .b=4, .c=3\} 2 \{.a=1, .b=2, .c=3\}$' '/^destroyed \{.a=2\} 2$' \
		'/^copied \{.a=2\} 2$' '/^holder \{.a=2, .c=\{.a=3\}\} 2$' '/^plain \{.a=2\} 2$' \
		'/^pinned \{.a=2\} 2$' '/^moved \{.a=2\} 2$' -- \
		"$STAP" --runtime=bpf -c "./results-O0-$compiler" -e '
		probe process(@1).function("get_integers").return {
			println("integers ", $return$, " ", $n, " ", $v$) }
		probe process(@1).function("get_destroyed").return { println("destroyed ", $return$, " ", $n) }
		probe process(@1).function("get_copied").return { println("copied ", $return$, " ", $n) }
		probe process(@1).function("get_holder").return { println("holder ", $return$$, " ", $n) }
		probe process(@1).function("get_pinned").return { println("pinned ", $return$, " ", $n) }
		probe process(@1).function("get_moved").return { println("moved ", $return$, " ", $n) }
		probe process(@1).function("get_plain").return { println("plain ", $return$, " ", $n) }' \
		"./results-O0-$compiler"
done
for level in $rust; do
	check 0 '/^words .*5.*7' '/^three .*5.*7.*8' '/^one .*5' '/^maybe Some.1' '/^text Some."five"' '/^wide Some.5' \
		'/^checked Ok\(5\)$' '/^checked Err\("not -5"\)$' '/^joined "five-5"$' -- \
		"$STAP" --runtime=bpf -c "./pairs$level" -e '
		probe process(@1).function("pairs::words").return { println("words ", $return$) }
		probe process(@1).function("pairs::three").return { println("three ", $return$) }
		probe process(@1).function("pairs::one").return { println("one ", $return$) }
		probe process(@1).function("pairs::maybe").return { println("maybe ", $return$$) }
		probe process(@1).function("pairs::text").return { println("text ", $return$$) }
		probe process(@1).function("pairs::checked").return { println("checked ", $return$$) }
		probe process(@1).function("pairs::joined").return { println("joined ", $return$$) }
		probe process(@1).function("pairs::wide").return { println("wide ", $return$$) }' "./pairs$level"
done
finish
