#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# demo.sh OUTDIR: the main job from end to end. A real I/O benchmark (fio) runs while trace-io.stp traces it; shows what
# came out. On this machine's kernel where it takes modules and has headers, else in a guest.
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
if ! why=$("$here/../../vm/takes-modules"); then
	where=(--vm)
	echo "== this machine's kernel ($release) cannot load our modules: $why. Tracing in a guest"
elif [ ! -e "/lib/modules/$release/build/include/config/auto.conf" ]; then
	where=(--vm)
	echo "== the headers of this machine's kernel, linux-headers-$release, are not to be had: tracing in a guest"
else
	where=()
	echo "== tracing on this machine's kernel, $release"
fi

job=(fio --name=demo --directory="$data" --rw=randrw --bs=4k --size=400k --ioengine=sync --minimal)
echo "== stap -g trace-io.stp -o $(basename "$trace") -c 'fio …'"
"$stap" "${where[@]}" -g -t "$here/trace-io.stp" -o "$trace" -c "$here/workload.sh ${job[*]}" > "$out/fio.txt" 2> "$books" || {
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
[ ${#where[@]} = 0 ] || echo "# scripts run in a guest here: stap --vm"
