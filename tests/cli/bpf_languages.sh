# SPDX-License-Identifier: GPL-2.0-or-later
# Values of optimised programs in C++, Go and Rust, by --runtime=bpf, which needs no guest.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: [ ! -e /sys/kernel/btf/vmlinux ] && echo "not here: the kernel does not tell its types"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"

needs_bpf 'probe process.begin { exit() }'
stap="$STAP --runtime=bpf"

# Go up to 1.19 names some pieces of a value twice, and none for the gaps between its members.
cat > repeated.go << 'END'
package main

import (
	"os"
	"sync"
)

type point struct{ x, y int }
type gap struct {
	a int64
	b bool
	c int64
}

//go:noinline
func fill(r []byte, n int) int {
	for i := range r {
		r[i] = byte(n)
	}
	if n > 3 {
		return first(r)
	}
	return cap(r)
}

//go:noinline
func first(r []byte) int { p := &r[0]; *p = 3; return len(r) + cap(r) }

//go:noinline
func gaps(g gap) int { return int(g.a + g.c) }

func main() {
	var p sync.Pool
	p.Put(&point{4, 5})
	p.Put("text")
	n := len(os.Args)
	if fill([]byte{1, 2, 3}[:2], 4)+gaps(gap{int64(n), true, 7}) == 0 {
		os.Exit(1)
	}
}
END
if command -v go > /dev/null && HOME=$PWD GOFLAGS= go build -o repeated repeated.go 2> err; then
	check 0 '/^x=\*main\.point\(0xc[0-9a-f]+\)$' '/^x=string\("text"\)$' '/^r="\\001\\002" n=4$' \
		'/^g=\{\.a=1, \.b=1, \.c=7\}$' '!ERROR' -- $stap -c ./repeated -e '
		probe process("./repeated").function("main.fill") { println($$parms$$) }
		probe process("./repeated").function("main.gaps") { println($$parms$$) }
		probe process("./repeated").function("sync.(*Pool).Put") { println("x=", $x$$) }'
fi

# A part that the compiler has optimised out is a ?; the others are shown.
cat > partial.rs << 'END'
use std::hint::black_box;
#[inline(never)]
pub fn part(a: Option<u32>, n: u32) -> u32 {
    let t = a.is_some() as u32;
    black_box(black_box(t + n)) + t
}
fn main() {
    let n = std::env::args().count() as u32;
    std::process::exit((part(Some(n), n) + part(None, n + 5) == 0) as i32);
}
END
cat > partial.cc << 'END'
#include <optional>
__attribute__((noinline, noipa)) int keep(int n) { return n; }
__attribute__((noinline, noipa)) int some(unsigned n)
{
	std::optional<unsigned> w;
	if (n > 1)
		w = n * 7;
	int k = keep(n);
	return w.has_value() + k;
}
int main() { return some(1) + some(5) == 0; }
END
if command -v rustc > /dev/null && rustc -O -g -o partial partial.rs 2> err; then
	check 0 '/^a=(Some\(\?\)|Some\(1\)|\?) n=1$' '/^a=None n=6$' '!ERROR' -- $stap -c ./partial \
		-e 'probe process("./partial").function("part") { println($$parms$) }'
fi
g++ -std=c++17 -O2 -g -o optional partial.cc || say_wrong 'optional cannot be built'
check 0 '/^1 (<none>|\?)$' '/^5 (35|\?)$' '!ERROR' -- $stap -c ./optional \
	-e 'probe process("./optional").statement("some@*partial.cc:8") { println($n, " ", $w$) }'
finish
