# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=bpf: handlers that run in this machine's kernel without a module print what those of --runtime=user do; what
# it cannot do is refused at translation.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
. "$TOP/tests/cli/expect.inc"

# same NAME SCRIPT [OPTION]…: both runtimes print the same.
same() {
	"$STAP" --runtime=user "${@:3}" -e "$2" > user.out 2> user.err ||
		say_wrong "$1: --runtime=user failed: $(cat user.err)"
	"$STAP" --runtime=bpf "${@:3}" -e "$2" > bpf.out 2> bpf.err ||
		say_wrong "$1: --runtime=bpf failed: $(cat bpf.err)"
	cmp -s user.out bpf.out || say_wrong "$1: the output differs: $(diff user.out bpf.out | head -5)"
}

check 0 '/; clang.* \(--runtime=bpf\)$' -- "$STAP" --version
check 0 '/; no clang \(--runtime=bpf\)$' -- env PATH=/nothing "$STAP" --version
"$STAP" --runtime=bpf -e 'probe begin { println("hello") exit() }' > out 2> err
if grep -qE 'an arena|Operation not permitted' err; then
	check 1 '/--runtime=bpf: ' -- "$STAP" --runtime=bpf -e 'probe begin { exit() }'
	finish
	exit
fi
grep -qx hello out || say_wrong "hello: $(cat err)"

same numbers 'function f(x) { return x * 3 - 1 } probe begin { for (i = -3; i < 4; i++) printf("%d %x %d\n", f(i), i, i % 3) exit() }'
same texts 'global s probe begin { s = "abc" . "def"; if (s =~ "c.*e") println(s . ":" . sprint(7)) exit() } probe end { println(s) }'
same timers 'global n probe timer.ms(5) { if (++n > 3) exit() } probe timer.ms(1) if (n > 100) { println("never") } probe end { println(n) }'
same loops 'probe begin { i = 0; while (1) { if (i++ > 50) break; if (i % 2) continue; printf("%d ", i) } println("") exit() }'

same recursion 'function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } probe begin { println(f(12)) exit() }'
same nesting 'function f(n) { return n ? f(n - 1) + 1 : 0 } probe begin { println(f(9)); try { f(1000) } catch (m) { println(m) } exit() }'
same arrays 'global n, s probe begin { for (i = 0; i < 300; i++) { n[i % 37] += i; s[sprintf("k%d", i % 5)] <<< i }
	foreach (k- in n limit 3) printf("%d %d\n", k, n[k])
	foreach (t in s+) printf("%s %d %d\n", t, @count(s[t]), @sum(s[t]))
	delete n[3]; println(3 in n, 4 in n) exit() }'
same histogram 'global h probe begin { for (i = 0; i < 99; i++) h <<< i * i; print(@hist_log(h)); println(sprint(@hist_linear(h, 0, 9000, 1000))) exit() }'

# followed NAME SCRIPT: the verifier follows most of the code once or twice.
followed() {
	"$STAP" --runtime=bpf -vv -e "$2" > out 2> err
	awk '/^--runtime=bpf: [0-9]+ instructions, [0-9]+ verified/ { n++; bad += $4 > 4 * $2 } END { exit !n || bad }' err ||
		say_wrong "$1: verified too often: $(grep -e --runtime=bpf: -e ERROR err)"
}
followed histogram 'global h probe begin { h["a"] <<< 3; exit() } probe end { foreach (n in h) print(@hist_log(h[n])) }'
# Each branch tells it something new of y.
followed branches "global x, y, z probe begin { z = 3; $(for ((i = 0; i < 48; i++)); do
	echo "if (x % 7 == $((i % 7))) y += z * $i; if (y > z) x++"
done) println(y) exit() }"

# Formats that are read while the script runs: calls through pointers.
same formats 'probe begin { println(sprintf("%-6s|%6d|%#x|%.2s|%c", "ab", 42, 255, "xyz", 65)) exit() }'
# Longer than the kernel lets a program run at once: it pauses.
same long 'probe begin { for (i = 0; i < 3000000; i++) n += i; println(n) exit() }' -DMAXACTION=10000000

# A command and the program that takes data: both are started before the handlers are there.
check 0 '/^ran$' '/^begun$' -- "$STAP" --runtime=bpf -c 'echo ran' -e 'probe begin { println("begun") }'
check 0 '/"text": *"begun' -- "$STAP" --runtime=bpf --json -e 'probe begin { println("begun") exit() }'

# Where no module can be loaded, the message says that this runtime can run it, if it can.
if [ ! -e /proc/modules ]; then
	note='note: --runtime=bpf runs this script here'
	check 3 '/cannot load modules; ' "/$note" -- "$STAP" -e 'probe begin { exit() }'
	check 3 '/cannot load modules; ' "!$note" -- "$STAP" -e 'probe procfs("x").read { $value = "y" }'
	check 3 '/cannot load modules; ' "!$note" -- \
		"$STAP" -e 'probe kernel.trace("sched_switch") { print_ubacktrace() exit() }'
	check 3 '/cannot load modules; ' "!$note" -- env PATH=/nothing "$STAP" -e 'probe begin { exit() }'
	check 2 "!$note" -- "$STAP" -p9 -e 'probe begin { exit() }'
fi

# An image that the kernel refuses: the message names the statement, and has nothing of the verifier's log.
program=$("$STAP" --runtime=bpf -p4 -e 'probe begin {
	println("good")
	n = pid()
	println(n)
	exit()
}')
cp "$program" bad
python3 - << 'END_PATCH'
import struct
def checksum(bytes):
    sum = 2166136261
    for byte in bytes:
        sum = (sum ^ byte) * 16777619 & 0xffffffff
    return sum
file = bytearray(open("bad", "rb").read())
handlers, facts, sums, own, magic = struct.unpack("<4IQ", file[-24:])
end = len(file) - 24 - (4 * sums + 7) // 8 * 8
begin = end - (facts + 7) // 8 * 8 - handlers
image = file[begin:end]
instructions, functions, types, data, places = struct.unpack("<5I", image[8:28])
at = (40 + 8 * (instructions + functions) + types + 7) // 8 * 8
at = (at + data + 7) // 8 * 8
for i in range(places):
    instruction, text = struct.unpack("<II", image[at + 8 * i:at + 8 * i + 8])
    if image[at + 8 * places + text:].startswith(b"<input>:4:"):
        struct.pack_into("<BBhi", image, 40 + 8 * instruction, 0xb7, 15, 0, 0)
        break
file = file[:begin] + image
sums = [checksum(file[at:at + 4096]) for at in range(0, end, 4096)]
tail = struct.pack("<%dI" % len(sums), *sums)
tail += bytes(-len(tail) % 8) + struct.pack("<3I", handlers, facts, len(sums))
open("bad", "wb").write(file + tail + struct.pack("<IQ", checksum(tail), magic))
END_PATCH
refused="^ERROR: <input>:4:2: --runtime=bpf: the kernel's verifier refuses the code that stap has made of this"
check 1 "/$refused" '!R15' '!processed' -- ./bad
check 1 "/$refused" '/R15 is invalid' '/^processed [0-9]+ insns' -- ./bad -v
head -c -8 "$program" > bad
check 1 "/the program's file has no handlers at its end: it is damaged" -- ./bad

# With -m the program is left here, as a module is; it is one file, also when it is moved.
check 0 "/^$PWD/left.bpf\$" -- "$STAP" --runtime=bpf -p4 -m left -e '
	global n = 3 probe begin { println("left ", n) exit() }'
mkdir -p elsewhere && mv left.bpf elsewhere/moved
check 0 '/^left 5$' -- elsewhere/moved n=5

check 1 "/'procfs\\(\"x\"\\).read': --runtime=bpf has no files below /proc, which only a module can make" -- \
	"$STAP" --runtime=bpf -p3 -e 'probe procfs("x").read { $value = "y" }'
finish
