# The files of -o: names, rotation by size, SIGUSR2, compression; every line is in one of them, in order.
# guards: staprun stapio runtime tests/guest/privilege.inc lib trace
set -eu
. "$TOP/tests/wait.inc"
dir=$(mktemp -d)
fail() { ls -l "$dir"; cat "$dir/err"; echo "$1"; exit 1; }
staprun -t -o "$dir/%h-%m.log" -S 64K --compress -c "build/guest/load 20000 2" "$MODULES/t_flood.ko" 2> "$dir/err" ||
	fail "status $?"
log=$dir/$(hostname)-t_flood.log
[ -s "$log" ] || fail "no $log"
n=$(ls "$log".*.zst | wc -l)
[ "$n" -ge 10 ] || fail "$n compressed files"
merged=$(sed -n 's/^records: \([0-9]*\) merged.*/\1/p' "$dir/err")
for i in $(seq "$n"); do
	zstd -qdc "$log.$i.zst" > "$dir/part"
	[ "$(stat -c %s "$dir/part")" -le 65536 ] || fail "$log.$i.zst is too large"
	cat "$dir/part"
done > "$dir/all"
cat "$log" >> "$dir/all"
[ "$(wc -l < "$dir/all")" = "$merged" ] || fail "$(wc -l < "$dir/all") lines, $merged merged"

# SIGUSR2 to staprun: what was there becomes FILE.1.
staprun -o "$dir/endless" "$MODULES/t_endless.ko" 2> "$dir/err" & run=$!
wait_until has "$dir/endless" tick
kill -USR2 $run
wait_until [ -e "$dir/endless.1" ]
wait_until has "$dir/endless" tick
kill -TERM $run
wait $run || fail "SIGUSR2: status $?"
[ "$(head -n 1 "$dir/endless.1")" = begun ] && [ "$(tail -n 1 "$dir/endless")" = ended ] ||
	fail "SIGUSR2: lines are missing"

# The same by the script.
staprun -o "$dir/switched" "$MODULES/t_switches.ko" 2> "$dir/err" & run=$!
wait_until [ -e "$dir/switched.1" ]
kill -TERM $run
wait $run || fail "switch_file: status $?"
[ "$(cat "$dir/switched.1")" = begun ] && [ "$(cat "$dir/switched")" = then ] ||
	fail "switch_file: $(head "$dir/switched" "$dir/switched.1")"

# In a directory of another user's, as with sudo: the limit holds there, by the one capability that is kept; the files
# of -b as well. Otherwise none is kept.
caps() { sed -n 's/^CapEff:\t0*//p' "/proc/$(pgrep -x stapio)/status"; }
mkdir "$dir/theirs" && chown 12345 "$dir/theirs"
staprun -o "$dir/theirs/out" -S 64K,3 -c "build/guest/load 10000 2" "$MODULES/t_flood.ko" 2> "$dir/err" ||
	fail "-S in another's directory: status $?"
[ "$(ls "$dir/theirs" | wc -l)" = 3 ] && [ "$(du -b "$dir/theirs/out" | cut -f1)" -le 65536 ] ||
	fail "-S in another's directory: $(ls -l "$dir/theirs")"
(cd "$dir/theirs" && staprun -b -M -c "$TOP/build/guest/load 100 2" "$MODULES/t_flood.ko" 2> "$dir/err") &&
	[ -s "$dir/theirs/stpd_cpu0" ] || fail "-b -M in another's directory"
for where in theirs/endless:2 own:; do
	staprun -o "$dir/${where%:*}" "$MODULES/t_endless.ko" 2> "$dir/err" & run=$!
	wait_until has "$dir/${where%:*}" tick
	[ "$(caps)" = "${where#*:}" ] || fail "capabilities with $where: $(caps)"
	# One writer.
	status=0; staprun -R -o "$dir/${where%:*}" "$MODULES/t_endless.ko" 2> "$dir/err.2" || status=$?
	[ $status = 1 ] && grep -q '^ERROR: .*: it is being written by another run' "$dir/err.2" ||
		fail "a second writer: status $status, $(cat "$dir/err.2")"
	kill -TERM $run
	wait $run || fail "$where: status $?"
	[ "$(tail -n 1 "$dir/${where%:*}")" = ended ] || fail "$where: not to its end"
done

# The directory goes while files follow one after the other: that is an error.
mkdir "$dir/gone"
staprun -o "$dir/gone/out" -S 1s "$MODULES/t_endless.ko" 2> "$dir/err" & run=$!
wait_until has "$dir/gone/out" tick
rm -r "$dir/gone"
status=0; wait $run || status=$?
[ $status = 1 ] && grep -q '^ERROR: .*out was removed while it was being written: [0-9]* records are lost' "$dir/err" ||
	fail "the directory is gone: status $status"

# Links that others have put there, for every kind of file.
mkdir "$dir/shared" && chmod 1777 "$dir/shared" && echo mine > "$dir/victim"
for name in out stpd_cpu0; do ln -s "$dir/victim" "$dir/shared/$name" && chown -h 12345 "$dir/shared/$name"; done
status=0; staprun -o "$dir/shared/out" "$MODULES/t_short.ko" 2> "$dir/err" || status=$?
[ $status = 1 ] && grep -q "the link 'out' is user 12345's, in a directory where others can make links" "$dir/err" ||
	fail "-o, a link: status $status"
status=0
(cd "$dir/shared" && staprun -b -M -c "$TOP/build/guest/load 1000 2" "$MODULES/t_flood.ko" 2> "$dir/err") || status=$?
[ $status = 1 ] && grep -q "the link 'stpd_cpu0' is user 12345's" "$dir/err" || fail "-b -M, a link: status $status"
[ "$(cat "$dir/victim")" = mine ] || fail "written through a link"
