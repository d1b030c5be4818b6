# SPDX-License-Identifier: GPL-2.0-or-later
# Values of programs as text, by --runtime=bpf: pointers without target; variables that BPF programs cannot read, among
# others and alone.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: [ ! -e /sys/kernel/btf/vmlinux ] && echo "not here: the kernel does not tell its types"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"

needs_bpf 'probe process.begin { exit() }'

cat > shown.cc <<'END'
#include <memory>
#include <string>
#include <vector>
struct place { int first; std::string name; };
struct around { place inside; };
__attribute__((noinline)) int objects(std::string *s, std::vector<int> *v, place *p, int *n, around *a)
{
	return s || v || p || n || a;
}
extern thread_local int counted;
thread_local int counted = 3;
__attribute__((noinline, noipa)) int numbers(int x, double d)
{
	static thread_local int own = 6;
	own += x;
	counted += own;
	asm volatile("" : : : "memory");
	return own + (int)d;
}
int main()
{
	std::string s = "text";
	std::vector<int> v = { 1 };
	place p = { 2, "in" };
	int n = 3, r;
	around a = { p };
	r = objects(&s, &v, &p, &n, &a) + objects(nullptr, nullptr, nullptr, nullptr, nullptr);
	return r + numbers(1, 2.5) == 0;
}
END
stap="$STAP --runtime=bpf"
g++ -g -O0 -o shown shown.cc && g++ -g -O2 -o fast shown.cc || exit
check 0 '/^s="text" v=\[1\] p=\{.first=2, .name="in"\} n=3 a=\{.inside=\{.first=2, .name="in"\}\}$' \
	'/^s=0x0 v=0x0 p=0x0 n=0x0 a=0x0$' '/^inside ERROR$' '/^1 own=\?$' -- $stap -c ./shown \
	-e 'probe process("./shown").function("objects") { println($$parms$$); if (!$p) println("inside ", $a->inside$) }' \
	-E 'probe process("./shown").function("numbers") { println($x, " own=", substr($$vars$, strlen($$vars$) - 1, 1)) }'
check 0 '/^x=1 d=\?$' -- $stap -c ./fast -e 'probe process("./fast").function("numbers") { println($$parms$) }'
check 1 "/.*'\\\$d' needs a module, --runtime=kernel: --runtime=bpf has no vector registers" -- \
	$stap -p2 -e 'probe process("./fast").function("numbers") { println($d) }'
finish
