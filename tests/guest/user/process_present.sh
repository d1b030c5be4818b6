# Existing processes are reported to begin once, also two of the same program, and one that makes no system call; kernel
# threads never.
# guards: runtime translator/probe/user
set -eu
. "$TOP/tests/wait.inc"
cd build/guest
out=$(mktemp)
wait_for() { wait_until has "$2" "$1" || { cat "$2"; return 1; }; }
./family sleep & one=$!
./family sleep & two=$!
./family spin & spin=$!
staprun -o "$out" t_present.ko & run=$!
wait_for "^begin $spin$" "$out"
kill $one $two
wait_for "^end $two$" "$out"
./family hop 0
kill $spin
wait_for "^end $spin$" "$out"
kill -TERM $run
wait $run
for p in $one $two $spin; do
	[ "$(grep -cx "begin $p" "$out")$(grep -cx "end $p" "$out")$(grep -cx "any $p" "$out")" = 111 ] || {
		echo "$p:"
		cat "$out"
		exit 1
	}
	[ "$(grep -nx "begin $p" "$out" | cut -d: -f1)" -lt "$(grep -nx "end $p" "$out" | cut -d: -f1)" ] || {
		cat "$out"
		exit 1
	}
done
[ "$(grep -c ^thread "$out")" = 2 ] || { cat "$out"; exit 1; }
[ "$(grep -c ^begin "$out")" = 4 ] && [ "$(grep -c ^end "$out")" = 4 ] || { cat "$out"; exit 1; }
for p in $(sed -n 's/^any //p' "$out" | sort -u); do
	[ ! -e /proc/$p/cmdline ] || [ "$(wc -c < /proc/$p/cmdline)" -gt 0 ] || {
		echo "a thread of the kernel: $(cat /proc/$p/comm)"
		exit 1
	}
done

# -x: that process and what it starts, nothing else of its program.
./family sleep & one=$!
./family sleep & two=$!
staprun -x $one -o "$out" t_present.ko & run=$!
has_begun() { has "$out" "^begin $one$" || { kill -STOP $one; kill -CONT $one; return 1; }; }
wait_until has_begun # when it runs again
./family hop 0
kill $two
kill $one
wait $run
[ "$(grep -v -e any -e thread "$out")" = "begin $one
end $one" ] && [ "$(grep -c thread "$out")" = 1 ] || { echo "-x $one:"; cat "$out"; exit 1; }
