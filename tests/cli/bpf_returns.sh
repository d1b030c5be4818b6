# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=bpf: each call that begins at the entry of a return probe is in the books: as a hit, a missed return, or a
# call that did not return. tests/guest/user/unreturned.sh is the same for a module.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: [ ! -e /sys/kernel/btf/vmlinux ] && echo "not here: the kernel does not tell its types"
# skip: [ "$(uname -m)" != x86_64 ] && echo "not here: returns of C++ are probed where they are on x86_64 only"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"
gcc -w -g -pthread -o unreturned "$TOP/tests/guest/programs/user/unreturned.c" || say_wrong "gcc"
g++ -w -g -O2 -pthread -o unreturned_thrown "$TOP/tests/guest/programs/user/unreturned_thrown.cpp" || say_wrong "g++"
needs_bpf 'probe process("./unreturned").function("main") { exit() }'

# books FUNCTION RETURNS HITS: those in the books of its return, in err; its other calls, in out, have not returned.
books() {
	awk -v name="$1" -v returns="$2" -v hits="$3" '
		FILENAME == "out" && $1 == name { calls = $2 }
		index($1, "function(\"" name "@") && $1 ~ /\.return$/ { delivered += $3; lost += $5 }
		/^not returned: / && index($6, "function(\"" name "@") { unreturned += $3 }
		END {
			exit !(calls && delivered == hits && delivered + lost == returns &&
			       returns + unreturned == calls)
		}' out err || say_wrong "$1: wrong books"
}
check 0 '/^wrong 0$' -- "$STAP" --runtime=bpf -t -c ./unreturned "$TOP/tests/guest/modules/user/unreturned.stp"
# Of nested calls, 32 have a place for what is saved; the kernel follows 64.
books nest 5343 167
books plain 107 70
books jump 0 0
books leave 0 0
check 0 '/^wrong 0$' -- "$STAP" --runtime=bpf -t -c ./unreturned_thrown \
	"$TOP/tests/guest/modules/user/unreturned_thrown.stp"
books deep 1255 1077
books jump 0 0
books leave 0 0
check 0 '/"type": ?"unreturned", ?"probe": ?"process.*deep@.*return", ?"calls": ?1563' -- "$STAP" --runtime=bpf --json \
	-c ./unreturned_thrown "$TOP/tests/guest/modules/user/unreturned_thrown.stp"
finish
