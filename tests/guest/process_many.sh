# All functions of a program are probed and let go of, and the program does not notice; nor does one that is not the target. The time limits catch what hangs: guests may be emulated.
set -eu
out=$(mktemp)
bash -c 'while :; do for i in 1 2 3; do :; done; sleep 0.05; done' & before=$!
trap 'kill $before 2>/dev/null' EXIT
start=$(date +%s%N)
echo 'for i in 1 2 3 4 5; do x=$((x + i)); done; [ $x = 15 ]' > "$out.sh"
staprun -c "bash $out.sh" "$MODULES/t_bash_all.ko" > "$out"
took=$(($(date +%s%N) - start))
grep -q '^many hits$' "$out" || { cat "$out"; exit 1; }
[ $took -lt 600000000000 ] || { echo "took $took ns"; exit 1; }
kill -0 $before || { echo 'a program died'; exit 1; }
staprun -o "$out.all" "$MODULES/t_bash_all.ko" & run=$!
for _ in $(seq 600); do grep -q '^many hits$' "$out.all" 2>/dev/null && break; sleep 0.1; done
start=$(date +%s%N)
kill -TERM $run
wait $run || { echo "status $?"; exit 1; }
took=$(($(date +%s%N) - start))
grep -q '^many hits$' "$out.all" || { cat "$out.all"; exit 1; }
[ $took -lt 60000000000 ] || { echo "gone after $took ns"; exit 1; }
kill -0 $before || { echo 'a program died'; exit 1; }
