# SPDX-License-Identifier: GPL-2.0-or-later
# Values of optimised programs in Go and Rust, by --runtime=bpf, which needs no guest.
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
finish
