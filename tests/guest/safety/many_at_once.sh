# A script loses nothing because others run: ten runs, each of a module with its own name, on the same probes, under
# load; then they end one after the other, which takes long for the last one. SLOW=1: 10 times.
set -eu
. "$TOP/tests/wait.inc"
cd "$(mktemp -d)"
options='-R -s 2 --strict'
# Runs of a program may have one name. Its handlers share a lock: hits that do not get it are in the books.
[ "${RUNTIME-}" != bpf ] || options=
fail() { tail -n 25 err*; echo "$1"; exit 1; }
wait_all() { for pid in "${pids[@]}"; do wait $pid || fail "status $?"; done; }
for _ in $(seq $TIMES); do
	pids=()
	for i in 0 1 2 3 4 5 6 7 8 9; do
		staprun -v $options -t -o out$i "$MODULES/t_shared.ko" 2> err$i & pids+=($!)
	done
	for i in 0 1 2 3 4 5 6 7 8 9; do wait_in_place err$i ${pids[i]} || fail "run $i does not begin"; done
	for _ in 1 2 3 4 5 6 7 8 9 10; do cat /etc/hostname /etc/passwd > /dev/null & cat /etc/group > /dev/null; done
	for pid in "${pids[@]}"; do kill -INT $pid; done
	wait_all
	for i in 0 1 2 3 4 5 6 7 8 9; do
		grep -q '^ended' out$i || fail "run $i: $(tail -n 1 out$i)"
		read -r hits delivered dropped skipped \
			<<< "$(sed -n 's/^total *\([0-9]*\) *\([0-9]*\) *\([0-9]*\) *\([0-9]*\).*/\1 \2 \3 \4/p' err$i)"
		[ "${RUNTIME-}" != bpf ] || hits=$((hits - skipped)) skipped=0
		[ "$hits" -ge 50 ] && [ "$hits" = "$delivered" ] && [ "$dropped$skipped" = 00 ] ||
			fail "run $i: $hits hits, $delivered delivered, $dropped dropped, $skipped skipped"
	done
done
