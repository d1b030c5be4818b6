# All functions of a program are probed and released, and the program does not notice; nor does one that is not the
# target.
set -eu
. "$TOP/tests/wait.inc"
out=$(mktemp)
bash -c 'while :; do for i in 1 2 3; do :; done; sleep 0.05; done' & before=$!
trap 'kill $before 2>/dev/null' EXIT
echo 'for i in 1 2 3 4 5; do x=$((x + i)); done; [ $x = 15 ]' > "$out.sh"
staprun -c "bash $out.sh" "$MODULES/t_bash_all.ko" > "$out"
grep -q '^many hits$' "$out" || { cat "$out"; exit 1; }
kill -0 $before || { echo 'a program died'; exit 1; }
staprun -o "$out.all" "$MODULES/t_bash_all.ko" & run=$!
wait_until has "$out.all" '^many hits$'
kill -TERM $run
wait $run || { echo "status $?"; exit 1; }
grep -q '^many hits$' "$out.all" || { cat "$out.all"; exit 1; }
kill -0 $before || { echo 'a program died'; exit 1; }
