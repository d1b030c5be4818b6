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
check 0 '/^x=1 d=\?$' \
	'/:55: note: some of these variables are shown as \?: --runtime=bpf has no vector registers$' \
	-- $stap -c ./fast -e 'probe process("./fast").function("numbers") { println($$parms$) }'
check 1 "/.*'\\\$d' needs a module, --runtime=kernel: --runtime=bpf has no vector registers" -- \
	$stap -p2 -e 'probe process("./fast").function("numbers") { println($d) }'

# Parameters at a return are saved at the entry: numbers take little room, and the last texts that have none are ?.
cat > many.c << 'END'
struct box { int a, b; };
#define KEPT __attribute__((noinline, noipa))
KEPT int work_one(struct box *b) { return b->a; }
KEPT int work_numbers(struct box *b, int p2, int p3, int p4, int p5, int p6, int p7, int p8, int p9)
{
	return b->b + p2 + p3 + p4 + p5 + p6 + p7 + p8 + p9;
}
KEPT int work_boxes(struct box *a, struct box *b, struct box *c, struct box *d, struct box *e, struct box *f,
		    struct box *g, struct box *h, struct box *i)
{
	return a->a + b->a + c->a + d->a + e->a + f->a + g->b + h->b + i->b;
}
int main(void)
{
	struct box b = { 1, 2 }, *p = &b;
	return work_one(p) + work_numbers(p, 2, 3, 4, 5, 6, 7, 8, 9) + work_boxes(p, p, p, p, p, p, p, p, p) != 59;
}
END
gcc -g -O1 -o many many.c || exit
check 0 '/note: 2 parameters of process.*work_boxes.*\.return are shown as \?: 4096 bytes can be saved at entry, and '\
'each takes MAXSTRINGLEN; a smaller -DMAXSTRINGLEN=N leaves room for more$' '/^b=\{\.a=1, \.b=2\}$' \
	'/^b=\{\.a=1, \.b=2\} p2=2 p3=3 p4=4 p5=5 p6=6 p7=7 p8=8 p9=9$' \
	'/^a=\{\.a=1, \.b=2\} .* h=\? i=\?$' -- $stap -c ./many \
	-e 'probe process("./many").function("work_*").return { println($$parms$$) }'
finish
