# SPDX-License-Identifier: GPL-2.0-or-later
# Points of C++ programs: each that is listed is taken, closures' constructors and destructors too; functions that are
# inlined wherever they are called.
# skip: ! command -v g++ > /dev/null && echo "g++ is not there"
. "$TOP/tests/cli/expect.inc"

cat > points.cpp << 'END2'
#include <functional>
#include <string>
static inline int always(int n) { return n * 3; }
struct part {
	inline int get(int n) const { return n + 1; }
};
int run(int n)
{
	std::string s = "abc";
	auto f = [s](int k) { return (int)s.size() + k; };
	std::function<int(int)> g = f;
	part p;

	return g(n) + always(n) + p.get(n);
}
int main(int argc, char **) { return run(argc) == 0; }
END2
for compiler in g++ clang++-19; do
	command -v $compiler > /dev/null || continue
	for how in -g -g0; do
		$compiler $how -O0 -o listed points.cpp || say_wrong "$compiler $how"
		[ $how = -g ] && pattern='*@points.cpp' || pattern='*'
		"$STAP" --runtime=bpf -l "process(\"./listed\").function(\"$pattern\")" > points 2> err
		grep -qE '~\(lambda at|~<lambda>|\$_0|_ZZ3runi' points || say_wrong "$compiler $how: no closure"
		sed 's/.*/probe & { println(1) }/' points > listed.stp
		check 0 -- "$STAP" --runtime=bpf -p2 listed.stp
	done
done

g++ -g -O2 -o inlined points.cpp || say_wrong "g++ -O2"
for name in always part::get; do
	point="process(\"./inlined\").function(\"$name\")"
	check 1 "/error: '$name' is inlined wherever it is called: leave out \.call, or use \.inline" -- \
		"$STAP" --runtime=bpf -p2 -e "probe $point.call { println(1) }"
	check 1 "/error: '$name' is inlined wherever it is called: there is no return to probe" -- \
		"$STAP" --runtime=bpf -p2 -e "probe $point.return { println(1) }"
	check 0 -- "$STAP" --runtime=bpf -p2 -e "probe $point.inline, $point { println(1) }"
done
check 1 "/error: no function 'nothing' in " -- \
	"$STAP" --runtime=bpf -p2 -e 'probe process("./inlined").function("nothing").call { println(1) }'
finish
