#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# demo.sh OUTDIR: the main job from end to end. A real I/O benchmark (fio) runs while trace-io.stp traces it; shows what
# came out. On this machine's kernel: by a module where it takes modules and has headers, else by BPF where it can; else
# in a guest.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
out=$(realpath -m "${1:?usage: demo.sh OUTDIR}")
stap=${STAP:-$(realpath "$here/../../build/bin/stap")}
trace=$out/$(hostname)-app-trace.out
books=$out/books.txt

mkdir -p "$out"
rm -f "$trace" "$books"
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT

release=$(uname -r)
why='' where=()
if ! why=$("$here/../../vm/takes-modules"); then
	why="this machine's kernel ($release) cannot load our modules: $why"
elif [ ! -e "/lib/modules/$release/build/include/config/auto.conf" ]; then
	why="the headers of this machine's kernel, linux-headers-$release, are not to be had"
fi
if [ -z "$why" ]; then
	echo "== tracing on this machine's kernel, $release, by a module"
elif "$stap" --runtime=bpf -e 'probe begin { exit() } probe syscall.read { }' > /dev/null 2>&1; then
	where=(--runtime=bpf)
	echo "== $why: tracing on it by BPF"
else
	where=(--vm)
	echo "== $why; BPF cannot trace here either: tracing in a guest, by a module"
fi

job=(fio --name=demo --directory="$data" --rw=randrw --bs=4k --size=400k --ioengine=sync --minimal)
if [ "${where[*]}" = --runtime=bpf ]; then
	options=(--runtime=bpf -G apps=fio)
	command="${job[*]}"
else
	options=("${where[@]}" -g)
	command="$here/workload.sh ${job[*]}"
fi
echo "== stap ${options[*]} trace-io.stp -o $(basename "$trace") -c 'fio …'"
"$stap" "${options[@]}" -t "$here/trace-io.stp" -o "$trace" -c "$command" > "$out/fio.txt" 2> "$books" || {
	status=$?
	cat "$books" >&2
	exit $status
}

echo "== the first ten lines of $trace"
head -n 10 "$trace"
echo "== calls traced"
awk '{ n[$3]++ } END { for (op in n) printf "%-8s %6d\n", op, n[op] }' "$trace" | sort
echo "== the books"
cat "$books"
bin=$(dirname "$(realpath "$(type -P "$stap")")")
echo "== next: README.md's commands, with"
printf 'export PATH=%q:$PATH MANPATH=%q:$MANPATH    # or: make install\n' "$bin" "${bin%/*}/share/man"
case ${where[*]} in
--vm) echo "# scripts run in a guest here: stap --vm" ;;
--runtime=bpf) echo "# scripts run without a module here: stap --runtime=bpf; or in a guest: stap --vm" ;;
esac
