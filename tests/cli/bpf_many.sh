# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=bpf: patterns of ten thousand functions, and of all. The handlers do not grow with their number, and the
# kernel attaches all by one link, also where it lacks some of them: those of another kernel are left out, and a
# function that is named is an error. In a guest of each kernel below BPF_KERNELS, a list of trees as
# stap-fetch-kernel makes them.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: [ ! -e /sys/kernel/btf/vmlinux ] && echo "not here: the kernel does not tell its types"
# guards: translator/module translator/bpf runtime/user
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"
needs_bpf 'probe kernel.trace("sys_enter") { exit() }'

# make NAME PATTERN
make() {
	echo "global hits probe kernel.function(\"$2\") { hits++ } probe timer.ms(10) { exit() }
		probe end { println(\"hits \", hits > 0) }" > "$1.stp"
	"$STAP" --runtime=bpf -w -p4 "$1.stp" > out || say_wrong "$1: it is not translated"
	cp "$(< out)" "$1"
}
make few 'add_*'
make many '[a-f]*'
points=$("$STAP" --runtime=bpf -l 'kernel.function("[a-f]*")' | wc -l)
[ "$points" -gt 10000 ] || say_wrong "only $points points"
instructions() {
	./"$1" -v > out 2>&1
	sed -n 's/^--runtime=bpf: \([0-9]*\) instructions.*/\1/p' out | head -n 1
}
few=$(instructions few) many=$(instructions many)
[ "${many:-99999}" -lt $((few + 100)) ] || say_wrong "$many instructions for $points functions, $few for a few"

# All functions, those of system calls too: objects of so many have more sections than 16 bits count.
make all '*'
points_of_all=$("$STAP" --runtime=bpf -l 'kernel.function("*")' | wc -l)
all=$(instructions all)
[ "$points_of_all" -gt 40000 ] || say_wrong "only $points_of_all points are all"
[ "${all:-99999}" -lt $((few + 2000)) ] || say_wrong "$all instructions for all functions, $few for a few"

# One that this kernel lacks is named: the message says which.
cat > named.stp << 'END'
probe kernel.function("fput"), kernel.function("vfs_read") { println("hit") exit() }
END
"$STAP" --runtime=bpf -w -p4 named.stp > out && LC_ALL=C sed 's/fput\>/fpux/g' "$(< out)" > named && chmod +x named
[ -z "${BPF_KERNELS-}" ] || [ -x named ] || say_wrong "a named function"
cat > guest.sh << 'END'
STAP_BPF_FUNCTIONS=kprobe.multi ./many -v 2> said
grep 'links in' said
echo "attached $(grep -c 'kprobe.multi$' said), left out $(grep -c 'not attached$' said)"
STAP_BPF_FUNCTIONS=kprobe.multi ./named 2>&1
# No list of functions can be read: by halves.
umount /sys/kernel/tracing /sys/kernel/debug/tracing /sys/kernel/debug 2> /dev/null
mount --bind /dev/null /proc/kallsyms
STAP_BPF_FUNCTIONS=kprobe.multi ./few -v 2> said
echo "few: attached $(grep -c 'kprobe.multi$' said), left out $(grep -c 'not attached$' said)"
END
for tree in ${BPF_KERNELS:-}; do
	STAP_KERNELS=$tree check 0 "/^--runtime=bpf: $points points in functions, 1 links in " '/^hits 1$' \
		'/^attached [0-9]{4,5}, left out [0-9]+$' '/^few: attached [0-9]{2,3}, left out [0-9]+$' \
		'/^ERROR: kernel.function..fpux..: the kernel sets no probe: No such file or directory$' '!^hit$' -- \
		"$TOP/build/bin/stap-vm" --smp 2 --timeout 300 -- sh ./guest.sh
done
finish
