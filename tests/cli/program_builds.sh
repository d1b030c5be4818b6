# SPDX-License-Identifier: GPL-2.0-or-later
# Contents of a program for each way of building it: the table below has one row per build. Builds by compilers that
# are not installed are skipped, with a message. At the end one script probes all of the programs while they run in a
# guest: values, the stack, the line, the result and the marker of each.
# skip: no_kernel
. "$TOP/tests/cli/expect.inc"
stap="$STAP -r $KERNEL"
export SYSTEMTAP_DIR=$WORK/home SYSTEMTAP_DEBUGINFO_PATH=.debug

cat > work.c <<'END'
#include <sys/sdt.h>
struct conf { int a; struct conf *next; };
static int counter;
__attribute__((noinline, noipa)) int work(struct conf *c, int n)
{
	int twice = n * 2;
	counter += twice;
	STAP_PROBE1(app, step, twice);
	return c->a + twice + counter;
}
int main(int argc, char **argv) { struct conf c = { argc, 0 }; return work(&c, 3); }
END
cat > work.cc <<'END'
#include <sys/sdt.h>
#include <string>
#include <vector>
namespace shop {
enum class State { Open, Paid };
struct Item { int price; std::string name; };
class Order {
public:
	__attribute__((noinline, noipa)) int total(const std::vector<Item> &items, State s);
	int sum = 0;
};
int Order::total(const std::vector<Item> &items, State s)
{
	int twice = items.size() * 2;
	sum += twice;
	STAP_PROBE1(app, step, twice);
	return s == State::Paid ? sum : twice + items[0].price;
}
}
int main(int argc, char **)
{
	std::vector<shop::Item> items{ { argc, "a" }, { 4, "b" } };
	shop::Order o;
	return o.total(items, shop::State::Paid);
}
END
cat > work.rs <<'END'
mod shop {
    pub struct Order { pub sum: i32 }
    impl Order {
        #[inline(never)]
        pub fn total(&mut self, n: i32, name: &str) -> i32 {
            let twice = n * 2;
            self.sum += twice;
            self.sum + std::env::args().count() as i32 + name.bytes().next().unwrap() as i32
        }
    }
}
fn main() {
    let mut o = shop::Order { sum: 1 };
    let total: fn(&mut shop::Order, i32, &str) -> i32 = std::hint::black_box(shop::Order::total);
    std::process::exit(total(&mut o, 3, &std::env::args().next().unwrap_or_default()[..2]));
}
END
cat > work.go <<'END'
package main

import "os"

type Order struct{ sum int }

//go:noinline
func (o *Order) total(n int, name string) int {
	twice := n * 2
	o.sum += twice
	return o.sum + len(os.Args) + len(name)
}
func main() {
	o := Order{1}
	os.Exit(o.total(3, os.Args[0][:2]))
}
END

# finds LANGUAGE PROGRAM WHAT…: the points that WHAT names are there: parameters, line, local, return, marker; types
# names symbol: the function is known by its symbol alone
finds() {
	local language=$1 program=$2 what points function file line parameters step
	shift 2
	# A line, and the statement that the local variable's value is known at.
	case $language in
	c) function=work file=work.c line=7 parameters='\$c:struct conf\*(const)? \$n:int' ;;
	c++)
		function=Order::total file=work.cc line=15
		parameters='\$this:struct shop::Order\*(const)? '
		parameters+='\$items:const struct std::vector<shop::Item, .*>\*( const)? '
		parameters+='\$s:enum shop::State'
		;;
	rust)
		function=Order::total file=work.rs line=7
		parameters='\$self:struct work::shop::Order\* \$n:i32 \$name:'
		;;
	go)
		function='main.(*Order).total' file=work.go line=10
		parameters='\$o:main\.Order\* \$n:int \$name:struct string( |$)'
		;;
	esac
	points="process(\"./$program\").function(\"$function\")"
	step="process(\"./$program\").statement(\"*@$file:$line\")"
	for what; do
		case $what in
		parameters) check 0 "/function\(\"[^ ]*(total|work)@[^ ]*$file:[0-9]+\"\) $parameters" \
			-- $stap -L "$points" ;;
		line) check 0 "/statement\(\"[^ ]*@[^ ]*$file:$line\"\)" -- $stap -l "$step" ;;
		file) check 0 "/function\(\"[^ ]*(total|work)@[^ ]*$file:[0-9]+\"\)" \
			-- $stap -l "process(\"./$program\").function(\"*@$file\")" ;;
		local) check 0 '/statement.*\$twice:(int|i32)' -- $stap -L "$step" ;;
		read) check 0 -- $stap -p2 -e "probe $step { println(\$twice) }" ;;
		return) check 0 "/\.return .*\\\$return:(int|i32)" -- $stap -L "$points.return" ;;
		marker) check 0 '/provider\("app"\)\.mark\("step"\) \$arg1' \
			-- $stap -L "process(\"./$program\").provider(\"app\").mark(\"step\")" ;;
		types) check 0 -- $stap -p2 -e "probe $points {
			println(\$items->_M_impl->_M_start->price, \$this->sum, \$s, @var(\"Paid\"))
			println(@cast(0, \"shop::Item\", \"./$program\")->price)
		}" ;;
		listed)
			$stap -l "process(\"./$program\").function(\"*@$file\")" > points 2> err
			$stap -l "process(\"./$program\").statement(\"*@$file:*\")" >> points 2>> err
			sed 's/.*/probe & { }/' points > listed.stp
			[ "$(wc -l < listed.stp)" -ge 5 ] || say_wrong "$program: few points are listed"
			check 0 -- $stap -p2 listed.stp
			;;
		symbol) check 0 "/function\(\"[^ ]*(total|work)[^@]*\"\)\$" -- $stap -L "$points" ;;
		esac
	done
}

# runs LANGUAGE PROGRAM WHAT…: adds the program to what the guest runs: probes to run.stp, their output to `expected`
runs() {
	local language=$1 program=$2 what function file line values twice result callers point
	case $language in
	c)
		function=work file=work.c line=7 values='c={.a=1, .next=0x0} n=3' twice=6 result=13
		callers='work main'
		;;
	c++)
		function=Order::total file=work.cc line=15 twice=4 result=4 callers='shop::Order::total main'
		values='this={.sum=0} items=[{.price=1, .name="a"}, {.price=4, .name="b"}] s=shop::State::Paid'
		;;
	rust)
		function=Order::total file=work.rs line=7 values='self={.sum=1} n=3 name="./"' twice=6 result=54
		callers='work::shop::Order::total work::main'
		;;
	go)
		function='main.(*Order).total' file=work.go line=10 values='o={.sum=1} n=3 name="./"' twice=6
		result=10 callers='main.(*Order).total main.main'
		;;
	esac
	point="process(\"$PWD/$program\")"
	echo "./$program" >> programs
	for what in stack "${@:3}"; do
		case $what in
		stack) probe "$point.function(\"$function\")" "$callers" \
			'usymname(ustack(0)), " ", usymname(ustack(1))' ;;
		parameters) probe "$point.function(\"$function\")" "$values" '$$parms$$' ;;
		read) probe "$point.statement(\"*@$file:$line\")" $twice '$twice' ;;
		return) probe "$point.function(\"$function\").return" $result '$return' ;;
		marker) probe "$point.provider(\"app\").mark(\"step\")" $twice '$arg1' ;;
		esac
	done
}

# probe POINT OUTPUT VALUE…: uses the caller's names program and what
probe() {
	echo "probe $1 { println(\"$program $what \", $3) }" >> run.stp
	echo "$program $what $2" >> expected
}

# split_command COMMAND… -- WHAT…: puts them into the caller's arrays command and wanted
split_command() {
	while [ "$1" != -- ]; do
		command+=("$1")
		shift
	done
	wanted=("${@:2}")
}

# build NAME LANGUAGE COMMAND -- WHAT…: builds ./NAME by the command, in which the compiler is the first word, and looks
build() {
	local name=$1 language=$2 command=() wanted=() include=() before
	split_command "${@:3}"
	if ! command -v "${command[0]}" > /dev/null; then
		echo "$name: ${command[0]} is not installed: left out"
		return
	fi
	[[ $language != c* ]] || include=(-I "$TOP/include" -w)
	# Where the compiler runs, it leaves .dwo files.
	mkdir "$name.d"
	if ! env -C "$name.d" "${command[@]}" "${include[@]}" -o "../$name" "../work.${extension[$language]}" \
		> out 2> err; then
		say_wrong "$name cannot be built"
		return
	fi
	before=$wrong
	finds "$language" "$name" "${wanted[@]}"
	runs "$language" "$name" "${wanted[@]}"
	[ $wrong = $before ] || echo "so it is with $name: ${command[*]}"
}
declare -A extension=([c]=c [c++]=cc [rust]=rs [go]=go)

# after NAME OF PROGRAM… -- WHAT…: ./NAME is a copy of ./OF that the command has changed; it is given the name
after() {
	local name=$1 of=$2 language=c command=() wanted=() before
	split_command "${@:3}"
	[[ $of != *++* ]] || language=c++
	if ! command -v "${tools[${command[0]}]:-${command[0]}}" > /dev/null || [ ! -e "$of" ]; then
		echo "$name: ${tools[${command[0]}]:-${command[0]}} is not installed: left out"
		return
	fi
	cp "$of" "$name"
	"${command[@]}" "$name" > out 2> err || say_wrong "$name cannot be made of $of"
	before=$wrong
	finds "$language" "$name" "${wanted[@]}"
	runs "$language" "$name" "${wanted[@]}"
	[ $wrong = $before ] || echo "so it is with $name: ${command[*]}"
}

# The programs that the functions below need.
declare -A tools=([shared]=dwz [mini]=xz [packed]=dwp [apart]=objcopy [apart_packed]=objcopy)

# Two programs share what dwz takes out of them.
shared() {
	cp "$1" twin && dwz -m "$1.shared" "$1" twin
}

# What Fedora's packages leave in a program: the names of its functions, packed.
mini() {
	nm "$1" | sed -n 's/.* [tT] //p' > functions
	objcopy --only-keep-debug "$1" hidden && objcopy -S --remove-section=.comment --keep-symbols=functions hidden &&
		xz -f hidden && strip "$1" && objcopy --add-section .gnu_debugdata=hidden.xz "$1"
}

# Its debuginfo is a file of its own, which the program names.
apart() {
	mkdir -p .debug
	objcopy --only-keep-debug "$1" ".debug/$1.debug" && objcopy -S --add-gnu-debuglink=".debug/$1.debug" "$1"
}

# The same, packed by zstd.
apart_packed() {
	objcopy --compress-debug-sections=zstd "$1" && apart "$1"
}

# A package of the .dwo files, in which libdw looks first from 0.191 on.
packed() {
	env -C gcc-split-4.d dwp -e "../$1" -o "../$1.dwp"
}

all='parameters file line local read return marker listed'
build gcc c gcc -O2 -g -- $all
build gcc-O0 c gcc -O0 -g -- $all
build gcc-O1 c gcc -O1 -g -- $all
build gcc-O3 c gcc -O3 -g -- $all
build gcc-4 c gcc -O2 -g -gdwarf-4 -- $all
build gcc-gz c gcc -O2 -g -gz -- $all
build gcc-lto c gcc -O2 -g -flto -- $all
build gcc-static c gcc -O2 -g -static -- $all
build gcc-g1 c gcc -O2 -g1 -- file line marker
build gcc-types c gcc -O2 -g -fdebug-types-section -- $all
build gcc-types-4 c gcc -O2 -g -gdwarf-4 -fdebug-types-section -- $all
build gcc-split c gcc -O2 -g -gsplit-dwarf -- $all
build gcc-split-4 c gcc -O2 -g -gsplit-dwarf -gdwarf-4 -- $all
build clang c clang -O2 -g -- $all
build clang-O0 c clang -O0 -g -- $all
build clang-O1 c clang -O1 -g -- $all
build clang-O3 c clang -O3 -g -- $all
build clang-4 c clang -O2 -g -gdwarf-4 -- $all
build clang-split c clang -O2 -g -gsplit-dwarf -- $all
build clang-split-4 c clang -O2 -g -gsplit-dwarf -gdwarf-4 -- $all
build clang-types c clang -O2 -g -fdebug-types-section -- $all
build clang-19 c clang-19 -O2 -g -- $all
build g++ c++ g++ -O2 -g -- $all types
build g++-O0 c++ g++ -O0 -g -- $all types
build g++-O3 c++ g++ -O3 -g -- $all types
build g++-lto c++ g++ -O2 -g -flto -- $all types
build g++-types c++ g++ -O2 -g -fdebug-types-section -- $all types
build g++-types-4 c++ g++ -O2 -g -gdwarf-4 -fdebug-types-section -- $all types
build g++-split c++ g++ -O2 -g -gsplit-dwarf -- $all types
build g++-static c++ g++ -O2 -g -static -- $all types
build clang++ c++ clang++ -O2 -g -- $all types
build clang++-O0 c++ clang++ -O0 -g -- $all types
build clang++-O3 c++ clang++ -O3 -g -- $all types
build clang++-types c++ clang++ -O2 -g -fdebug-types-section -- $all types
build clang++-split c++ clang++ -O2 -g -gsplit-dwarf -- $all types
build rustc rust rustc -O -g -- parameters file line return listed
build rustc-O0 rust rustc -g -- parameters file line local read return
build go go go build -- parameters file line return listed
build go-N go go build -gcflags '-N -l' -- parameters file line local read return
build go-w go go build -ldflags -w -- symbol
build go-s go go build -ldflags '-s -w' -- symbol
build gccgo go gccgo -O2 -g -- line
after gcc-zstd gcc objcopy --compress-debug-sections=zstd -- $all
after gcc-zstd-apart gcc apart_packed -- $all
after gcc-dwz gcc dwz -- $all
after g++-dwz g++ dwz -- $all types
after gcc-shared gcc shared -- $all
after g++-shared g++ shared -- $all types
after gcc-apart gcc apart -- $all
after g++-apart g++ apart -- $all types
after gcc-stripped gcc strip --strip-debug -- symbol marker
after gcc-mini gcc mini -- symbol marker
after g++-mini g++ mini -- symbol marker
if libdw_reads_packages; then
	after gcc-dwp-4 gcc-split-4 packed -- $all
fi

# All of them run, each once.
sed 's/$/ > \/dev\/null || true/' programs > all.sh
translated() {
	watched --cpu 600 "$STAP" -r "$KERNEL" -p4 -m run -DMAXSTRINGLEN=256 run.stp > out 2> err
}
if ! translated; then
	say_wrong 'the script for all programs cannot be translated'
else
	watched --cpu 600 --idle 240 "${STAP%/*}/stap-vm" --release "$KERNEL" --share "$WORK" -- \
		sh -c "cd '$PWD' && PATH=${STAP%/*}:\$PATH staprun -o seen -c 'sh all.sh' run.ko" > out 2> err ||
		say_wrong 'the programs do not run in a guest'
	[ -e seen ] && diff <(sort -u expected) <(sort -u seen) > out || say_wrong 'expected < and seen >'
	echo "$(wc -l < programs) programs"
fi

# Names of C++: all that is listed is taken back, and so is what nm -C and the source say.
cat > names.cc <<'END'
#include <memory>
#include <string>
#include <vector>
#define KEPT __attribute__((noinline, noipa))
namespace shop {
enum class State { Open, Paid };
struct Item { int price; };
struct Order {
	virtual ~Order() {}
	KEPT int total(const std::vector<Item> &items, State s) { return items.size() + (int)s; }
	KEPT int total(int x) const { return x + sum; }
	KEPT Order &operator+=(const Item &i) { sum += i.price; return *this; }
	int sum = 0;
};
struct Big : Order {
	~Big() override { sum = 0; }
	static KEPT int make(std::unique_ptr<Order> o, std::string note) { return o->sum + note.size(); }
};
}
namespace { KEPT int hidden(int n) { return n + 4; } }
template <typename T, int N> KEPT T scale(T v) { return v * N; }
template <typename F> KEPT int apply(F f, int n) { return f(n); }
int main(int c, char **)
{
	shop::Order o;
	int k = c;
	auto closure = [&k](int n) KEPT { k += n; return n + k; };
	o += shop::Item{ c };
	return o.total({}, shop::State::Paid) + o.total(c) + apply(closure, 2) + scale<int, 3>(c) + hidden(c) +
	       shop::Big::make(std::make_unique<shop::Big>(), "note");
}
END
for cc in g++ clang++; do
	command -v $cc > /dev/null || continue
	$cc -w -O1 -g -o names names.cc || say_wrong "$cc cannot build names"
	$stap -l 'process("./names").function("*")' 2> err | sed 's/.*/probe & { }/' > listed.stp
	[ "$(wc -l < listed.stp)" -ge 20 ] || say_wrong "$cc: few points are listed"
	check 0 -- $stap -p2 listed.stp
	while read -r point; do
		check 0 -- $stap -p2 -e "probe process(\"./names\").function(\"$point\") { }"
	done <<-'END'
		shop::Order::total(const std::vector<shop::Item>&, State)
		Order::total(int)
		Order::total(int) const
		Big::make(std::unique_ptr<Order>, std::string)
		scale<int,3>
		main::{lambda(int)#1}::operator()
		main::{lambda(int)#1}::operator()(int)
		operator()@names.cc
		*operator*@names.cc
	END
	[ $cc = g++ ] || check 0 -- $stap -p2 -e 'probe process("./names").function("main::$_0::operator()") { }'
	check 1 "/no function 'Ordr::total' in .*; did you mean 'Order::total'" \
		-- $stap -p2 -e 'probe process("./names").function("Ordr::total") { }'
	check 1 "/did you mean .*'shop::Order::total\(int\) const'" \
		-- $stap -p2 -e 'probe process("./names").function("Order::total(long)") { }'
	check 1 "/no function 'Order::total\(const std::vector<shop::Item>\*\)'" \
		-- $stap -p2 -e 'probe process("./names").function("Order::total(const std::vector<shop::Item>*)") { }'
done

# Its size is bounded, and rubbish in it has no names.
if [ -e gcc-mini ] && command -v xz > /dev/null; then
	head -c 100M /dev/zero | xz > bomb.xz
	for section in bomb.xz work.c; do
		objcopy --update-section .gnu_debugdata=$section gcc-mini odd
		check 1 '/has no symbols and no debuginfo|no function named .work./' \
			-- $stap -l 'process("./odd").function("work")'
	done
fi

# Where the shared file is missing, its name is said.
if [ -e g++-shared.shared ]; then
	rm g++-shared.shared
	check 1 "/the debuginfo that describes it is in g\+\+-shared\.shared, which is missing" \
		-- $stap -p2 -e 'probe process("./g++-shared").function("Order::total") { println($items) }'
	check 1 "/a part of the debuginfo is in g\+\+-shared\.shared, which is missing" \
		-- $stap -l 'process("./g++-shared").statement("*@work.cc:15")'
fi
finish
