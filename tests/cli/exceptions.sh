# SPDX-License-Identifier: GPL-2.0-or-later
# Return probes of functions that an exception may leave: at their return instructions where all of these are known,
# with a warning elsewhere. At the end the program runs with such probes, under --runtime=bpf; in a guest it does in
# tests/guest/user/user_thrown.stp.
# skip: [ "$(uname -m)" != x86_64 ] && echo "not here: this is about registers and instructions of x86_64"
# skip: ! command -v g++ > /dev/null && echo "g++ is not there"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"

# points PATTERN: how many points its return has.
points() { "$STAP" --runtime=bpf -p2 -e "probe $1.return { println(1) }" 2> err | grep -c '^process.*\.return'; }
has() { [ "$(points "$2")" = "$1" ] || say_wrong "$2: not $1 points"; [ ! -s err ] || say_wrong "$2: $(cat err)"; }

source=$TOP/tests/guest/programs/user/thrown.cpp
for how in -O0 -O1 -O2; do
	g++ -g $how -pthread -o thrown"$how" "$source" || say_wrong "g++ $how"
	for function in parse middle deep text; do
		"$STAP" --runtime=bpf -p3 -e "probe process(\"./thrown$how\").function(\"$function\").return {
			println(\$n) }" > out 2> err
		{ grep -q 'point_0 = .*at_site = true.*\.entry = 0x' out && [ ! -s err ]; } ||
			say_wrong "$how: $function is not probed where it returns"
	done
done
# A switch jumps through a register; each branch returns.
has 6 'process("./thrown-O2").function("name_of")'
has 1 'process("./thrown-O0").function("tail")'
# clang jumps behind the end of a function, in code that is never reached.
if command -v clang++-19 > /dev/null; then
	clang++-19 -w -g -O0 -c -o ended.o -x c++ - <<- 'END' || say_wrong "clang++"
		int may_throw(int n) { if (n < 0) throw n; return n; }
		int rethrows(int n) { try { return may_throw(n); } catch (int e) { if (e > -9) throw; return e; } }
		__attribute__((aligned(64))) int main(int argc, char **) { return rethrows(argc); }
	END
	clang++-19 -o ended ended.o || say_wrong "clang++"
	has 1 'process("./ended").function("rethrows")'
fi
# Those that go on in another function, or whose code is elsewhere.
other=', as it goes on in another function, by a jump; probe its entry'
blind="warning: an exception that leaves 'tail' ends the program: its return is probed by another return address on the stack, as it goes on in another function, by a jump; probe its entry, or statements before its returns"
check 0 "/$blind\$" -- "$STAP" --runtime=bpf -p2 -e '
	probe process("./thrown-O2").function("tail").return { println(1) }'
check 0 "/warning: an exception that leaves 'dispatch' ends .* it jumps to an address out of a register or memory;" -- \
	"$STAP" --runtime=bpf -p2 -e 'probe process("./thrown-O2").function("dispatch").return { println(1) }'
# A pattern leaves them out, and says so; overloads, files and programs are no pattern of functions.
left="warning: the pattern leaves out 2 functions of which not all returns are known, because an exception that leaves them would end the program: 'dispatch', 'tail'; name a function in full to probe its return nevertheless"
check 0 "/$left\$" '!^process.*"(tail|dispatch)' '!an exception that leaves .tail' '!: left out: ' -- "$STAP" \
	--runtime=bpf -p2 -e 'probe process("./thrown-O2").function("*@thrown.cpp").return { println(1) }'
check 0 '/^process.*: left out: .tail.: it goes on in another function, by a jump$' \
	'/^process.*: left out: .dispatch.: it jumps to an address' '/pattern leaves out 2 functions' -- "$STAP" -v \
	--runtime=bpf -p2 -e 'probe process("./thrown-O2").function("*").return { println(1) }'
check 0 '/1 function of which .* because an exception that leaves it would end the program: .tail.;' -- "$STAP" \
	--runtime=bpf -p2 -e 'probe process("./thrown-O2").function("t*").return { println(1) }'
alone="error: the pattern leaves out 'tail': an exception that leaves it would end the program, as it goes on in another function, by a jump; name it in full to probe its return nevertheless"
check 1 "/$alone\$" -- "$STAP" --runtime=bpf -p2 -e 'probe process("./thrown-O2").function("t*l").return { println(1) }'
check 0 "/$blind\$" '!leaves out' -- "$STAP" --runtime=bpf -p2 -e '
	probe process("./thr*-O2").function("tail@*.cpp").return { println(1) }'
# (BPF programs have no callees.)
check 1 "/$blind\$" -- "$STAP" --runtime=bpf -p2 -e '
	probe process("./thrown-O2").function("main").callee("tail").return { println(1) }'
check 1 '/pattern leaves out 2 functions' -- "$STAP" --runtime=bpf -p2 -e '
	probe process("./thrown-O2").function("main").callees.return { println(1) }'
check 0 '/function\("middle@' '!"tail' '!warning' -- "$STAP" --runtime=bpf -l \
	'process("./thrown-O2").function("*").return'
check 0 '!warning' -- "$STAP" --runtime=bpf -l 'process("./thrown-O2").function("tail").return'
check 0 '!warning' -- "$STAP" --runtime=bpf -p2 -e 'probe process("./thrown-O2").function("tail") { println(1) }'
g++ -g -O0 -no-pie -pthread -o fixed "$source" || say_wrong "g++ -no-pie"
at=0x$(nm fixed | awk '/ _Z6middleii$/ { print $1 }')
check 0 "/warning: an exception that leaves 'middle' ends .*, as the point is an address in memory;" -- "$STAP" \
	--runtime=bpf -p2 -e "probe process(\"./fixed\").statement($at).absolute.return { println(1) }"
has 1 "process(\"./fixed\").function($at)"
# Functions that never return: refused by name, left out of patterns.
check 1 "/error: 'fails' has no return: it ends by an exception, or with the program; probe its entry" -- \
	"$STAP" --runtime=bpf -p2 -e 'probe process("./thrown-O2").function("fails").return { println(1) }'
check 1 "/error: '__cxa_throw' has no return: " -- \
	"$STAP" --runtime=bpf -p2 -e 'probe process("./thrown-O2").plt("__cxa_throw").return { println(1) }'
check 0 '/plt\("pthread_create"\)' '!/__cxa_throw|_Unwind_Resume' -- \
	"$STAP" --runtime=bpf -l 'process("./thrown-O2").plt("*").return'
check 0 "/leaves out [0-9]+ functions .*: '_Z.*', '_Z.*', '_Z.*', … \\(-v lists all\\); " '!^process.*plt\("_Z' -- \
	"$STAP" --runtime=bpf -p2 -e 'probe process("./thrown-O2").plt("*").return { println(1) }'
slot=$(nm -u thrown-O2 | sed -n 's/^ *U \(_ZNSt7__cxx1112basic_string[^@]*\).*/\1/p' | head -n 1)
check 0 "/warning: an exception that leaves '$slot' ends .*a slot has no code" -- "$STAP" --runtime=bpf -p2 -e '
	probe process("./thrown-O2").plt(@1).return { println(1) }' "$slot"

# By symbols alone. Parts that are elsewhere belong to the function if their symbols say so.
g++ -O2 -pthread -o bare "$source" || say_wrong "g++ without debuginfo"
has 3 'process("./bare").function("deep")'
has 1 'process("./bare").function("middle")'
g++ -O2 -shared -fPIC -o lib.so "$source" && strip lib.so
for function in tail middle; do
	check 0 "/warning: an exception that leaves '$function.*' ends the .*$other" -- "$STAP" \
		--runtime=bpf -p2 -e 'probe process("./lib.so").function(@1).return { println(1) }' $function
done
g++ -O2 -fno-reorder-blocks-and-partition -shared -fPIC -o whole.so "$source" && strip whole.so
has 1 'process("./whole.so").function("middle")'
# C has no exceptions, and a function that calls nothing throws none.
printf '%s\n' 'int calls_nothing(int n) { return n + 1; }' 'int main() { return calls_nothing(-1); }' > leaf.cpp
g++ -g -O0 -o leaf leaf.cpp
check 0 '/point_0 = .*is_return = true' -- "$STAP" --runtime=bpf -p3 -e '
	probe process("./leaf").function("calls_nothing").return { println($n) }'

[ -n "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && [ "$(id -u)" = 0 ] &&
	[ -e /sys/kernel/btf/vmlinux ] || { finish; exit; }
needs_bpf 'probe process("./thrown-O2").function("main") { exit() }'
for how in -O0 -O2; do
	check 0 '/^middle 2 10 16 1$' '/^deep 8 106$' '/^deep 2 3$' '/^text 2 yy$' '/^459 of 805, 0 wrong$' \
		'!terminate' -- "$STAP" --runtime=bpf -c "./thrown$how x" -e '
		global calls, returns, wrong
		probe process(@1).function("middle") { calls++ }
		probe process(@1).function("middle").return {
			returns++
			wrong += $return != 3 * $n + $add || @entry(tid()) != tid()
			if (pid() == tid()) println("middle ", $n, " ", $add, " ", $return, " ", @entry($n) == $n) }
		probe process(@1).function("deep").return { println("deep ", $n, " ", $return) }
		probe process(@1).function("text").return { println("text ", $n, " ", text_of($return)) }
		probe end { printf("%d of %d, %d wrong\n", returns, calls, wrong) }' "./thrown$how"
done
# An exception that goes through a function that a pattern leaves out.
cat > sibling.cpp << 'END'
#include <cstdio>
#define OWN __attribute__((noinline, noclone))
OWN int thrower(int n) { if (n % 3 == 0) throw n; asm volatile(""); return n; }
OWN int sibling(int n) { asm volatile(""); return thrower(n); }
OWN int caller(int n) { try { return sibling(n) + 1; } catch (int) { return 100; } }
extern "C" int of_c(int n, int (*call)(int));
int main() { int sum = 0; for (int i = 0; i < 6; i++) try { sum += of_c(i, caller) + of_c(i, thrower); } catch (int n) {
	sum += 1000; } printf("sum %d\n", sum); }
END
echo 'int of_c(int n, int (*call)(int)) { return call(n) + 1; }' > of_c.c
for compiler in g++ clang++-19; do
	command -v $compiler > /dev/null || continue
	for how in -O2 '-g -O2'; do
		# shellcheck disable=SC2086 # words
		gcc $how -c of_c.c && $compiler -w $how -o sibling sibling.cpp of_c.o ||
			say_wrong "$compiler: sibling.cpp"
		check 0 '/^sum 2036$' '/^8 (thrower|_Z7throweri)$' '/^6 (caller|_Z6calleri)$' '/^10 of_c$' \
			'!terminate' '/leaves out 1 function .*: .(sibling|_Z7siblingi).;' -- \
			"$STAP" --runtime=bpf -c ./sibling -e 'global n
			probe process("./sibling").function("*").return { n[ppfunc()]++ }
			probe end { foreach (f in n) println(n[f], " ", f) }'
	done
done
# Panics of Rust.
command -v rustc > /dev/null || { finish; exit; }
cat > panics.rs << 'END'
#[inline(never)]
pub fn risky(n: i32) -> i32 {
    if n % 2 == 1 {
        panic!("odd")
    }
    std::hint::black_box(n * 2)
}
#[inline(never)]
pub fn middle(n: i32, v: Vec<i32>) -> i32 {
    let r = risky(n);
    r + v.len() as i32
}
fn main() {
    let mut sum = 0;
    std::panic::set_hook(Box::new(|_| {}));
    for i in 0..6 {
        sum += std::panic::catch_unwind(|| middle(i, vec![1; i as usize])).unwrap_or(100)
    }
    println!("sum {}", sum);
}
END
rustc -g -C opt-level=3 -o panics panics.rs || say_wrong "rustc"
check 0 '/^sum 318$' '/^middle 6 2$' '/^middle 12 4$' '/^risky 8$' '!ERROR' -- "$STAP" --runtime=bpf -c ./panics -e '
	probe process("./panics").function("middle").return { println("middle ", $return, " ", @entry($n)) }
	probe process("./panics").function("risky").return { println("risky ", $return) }'
# Handlers of one place run in the script's order.
check 0 '/^order 123 123$' -- "$STAP" --runtime=bpf -c ./leaf -e '
	global entry, ret
	probe process("./leaf").function("calls_nothing") { entry .= "1" }
	probe process("./leaf").function("calls_nothing").return { ret .= "1" }
	probe process("./leaf").function("calls_nothing") { entry .= "2" }
	probe process("./leaf").function("calls_nothing").return { ret .= @entry($n) == -1 ? "2" : "x" }
	probe process("./leaf").function("calls_nothing") { entry .= "3" }
	probe process("./leaf").function("calls_nothing").return { ret .= "3" }
	probe end { println("order ", entry, " ", ret) }'
finish
