# SPDX-License-Identifier: GPL-2.0-or-later
# Strings of the C++ libraries that debuginfo only declares, or defines without their first member, as clang -g leaves
# out what the library's own debuginfo has. At the end they are read, under --runtime=bpf.
# skip: ! command -v clang++-19 > /dev/null && echo "clang++-19 is not there"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"

cat > use.cpp << 'END2'
#include <string>
#include <vector>
__attribute__((noinline)) int use(const std::string &s, std::string *p, std::u16string *w, std::vector<int> *v)
{
	asm volatile("" ::"r"(&s), "r"(p), "r"(w), "r"(v));
	return 1;
}
END2
cat > main.cpp << 'END2'
#include <string>
#include <vector>
struct item {
	int price;
	std::string name;
};
int use(const std::string &s, std::string *p, std::u16string *w, std::vector<int> *v);
__attribute__((noinline)) int own(item *i, std::string by) { asm volatile("" ::"r"(i), "r"(&by)); return i->price; }
int main()
{
	std::string p = "a text that is longer than that";
	std::u16string w = u"wide";
	item i{ 3, p };

	return use("brief", &p, &w, nullptr) + own(&i, "by value") != 4;
}
END2
declared="'struct std::.*vector<.*>' is only declared: no unit of the debuginfo defines it; clang -g does with -fstandalone-debug"
libraries=libstdc++
echo '#include <string>' | clang++-19 -stdlib=libc++ -x c++ -fsyntax-only - 2> /dev/null && libraries+=' libc++'
for library in $libraries; do
	clang++-19 -stdlib=$library -g -O1 -c use.cpp || say_wrong "$library: use.cpp"
	clang++-19 -stdlib=$library -g -O0 -o "$library" main.cpp use.o || say_wrong "$library: main.cpp"
	use="process(\"./$library\").function(\"use\")" own="process(\"./$library\").function(\"own\")"
	check 0 -- "$STAP" --runtime=bpf -p2 -e "probe $use { println(text_of(\$s), text_of(\$p), text_of(\$w)) }
		probe $own { println(text_of(\$i->name), text_of(\$by)) }"
	# The element's type is in the definition alone.
	check 1 "/$declared\$" -- \
		"$STAP" --runtime=bpf -p2 -e "probe $use { println(text_of(\$v)) }"
done

[ "$(id -u)" = 0 ] && [ -e /sys/kernel/btf/vmlinux ] || { finish; exit; }
needs_bpf 'probe process("./libstdc++").function("main") { exit() }'
for library in $libraries; do
	check 0 '/^"brief" "a text that is longer than that" "wide" brief 31$' \
		'/^\{.price=3, .name="a text that is longer than that"\} "by value" by value$' '!ERROR' -- \
		"$STAP" --runtime=bpf -c "./$library" -e '
		probe process(@1).function("use") {
			println($s$, " ", $p$, " ", $w$, " ", text_of($s), " ", strlen(text_of($p))) }
		probe process(@1).function("own") { println($i$$, " ", $by$, " ", text_of($by)) }' "./$library"
done
finish
