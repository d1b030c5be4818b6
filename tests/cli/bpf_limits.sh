# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=bpf: how large handlers are, and how much of them the verifier follows, here and in a guest of each kernel
# below BPF_KERNELS, a list of trees as stap-fetch-kernel makes them. Instructions stand for the time of a load: 18,500
# take 45 ms of a processor on Linux 6.18; tests/bench/bpf measures it.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"
. "$TOP/tests/lib.sh"
needs_bpf 'probe begin { exit() }'

# program NAME SCRIPT [OPTION]…: leaves NAME
program() {
	cp "$("$STAP" --runtime=bpf -w -p4 "${@:2}" 2> "$WORK/err")" "$1" || say_wrong "$1"
}
# smaller NAME BYTES: the handlers, whose size the end of the file has
smaller() {
	local bytes
	bytes=$(tail -c 16 "$1" | od -An -tu4 | awk '{ print $1 }')
	[ "$bytes" -le "$2" ] || say_wrong "the handlers of $1 have $bytes bytes, $2 at most"
}
program hello -e 'probe begin { println("hello") exit() }'
program histogram -e 'global h probe kernel.trace("sched_switch") { h[execname()] <<< $prev->prio }
	probe end { foreach (name in h) { println(name) print(@hist_log(h[name])) } } probe timer.ms(10) { exit() }'
program count -e 'global n probe kernel.function("vfs_read").call { n[execname()]++ } probe timer.ms(10) { exit() }'
smaller hello 30000
smaller histogram 80000

# The largest ones of tests/lang.
names='tapset_kept tapset_names tapset_elsewhere foreach_ties arrays_grow macros hist_rows quantile'
cd "$TOP" || exit
for name in $names; do
	file=tests/lang/$name.stp
	eval "program '$WORK/$name' $(values args "$file") '$file' $(values script "$file")"
done
cd "$WORK" || exit

# judge KERNEL VERIFIED INSTRUCTIONS: no program of those that ran is larger, by their messages in NAME.err
judge() {
	local name said
	for name in hello histogram count $names; do
		said=$(grep -E '^--runtime=bpf: [0-9]|^ERROR' "$name.err")
		awk -v most="$2" -v all="$3" '/^--runtime=bpf: [0-9]+ instructions, [0-9]+ verified/ {
			n++
			bad += $2 > all || $4 > most
		} END { exit !n || bad }' "$name.err" ||
			say_wrong "$name on $1: more than $2 verified, or $3 instructions: $said"
	done
}
cat > run.sh << 'END'
for name; do ./$name -v > /dev/null 2> $name.err < /dev/null; done
END
watched sh run.sh hello histogram count $names
judge "this kernel" 100000 18500
for tree in ${BPF_KERNELS:-}; do
	rm -f -- *.err
	STAP_KERNELS=$tree "$(dirname "$STAP")/stap-vm" --smp 1 --timeout 600 --share "$WORK" -- \
		sh -c "cd '$WORK' && sh run.sh hello histogram count $names" > out 2> err || say_wrong "$tree"
	judge "$tree" 100000 18500
done
finish
