# A thousand children are all counted; they come and go undisturbed while the module is loaded and unloaded.
# guards: runtime
set -eu
. "$TOP/tests/wait.inc"
cd build/guest
out=$(mktemp)
staprun -t -c './family burst 1000' t_burst.ko > "$out" 2> "$out.err"
grep -qx '1001 begin, 1001 end' "$out" || { cat "$out" "$out.err"; exit 1; }
./family burst 100000 & load=$!
trap 'kill $load' EXIT
for i in 1 2 3 4 5 6; do
	: > "$out"
	env --default-signal=INT staprun -o "$out" t_burst.ko 2> "$out.err" & run=$!
	wait_until has "$out" begun
	sleep 0.$((i * 2 % 10))
	kill -TERM $run
	wait $run || { echo "cycle $i: status $?"; cat "$out.err"; exit 1; }
	! grep -q '^t_burst ' /proc/modules || { echo 'still loaded'; exit 1; }
	kill -0 $load || { echo 'the program died'; exit 1; }
done
