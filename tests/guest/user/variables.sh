# The values that probes see agree with those that the program prints, at every place of programs/user/variables.c, in
# four ways to compile it: a few hundred rows.
set -eu
cd build/guest
out=$(mktemp)
programs=$(ls | grep -E '^variables(_[a-z0-9]+)*$')
# ./variables ./variables_fast ./variables_dwarf4 ./variables_size, and those for 32 bits
staprun -o "$out.seen" -c "sh -c '$(printf './%s && ' $programs)true'" t_variables.ko > "$out.said" 2> "$out.err" || {
	cat "$out.err"
	exit 1
}
grep -v returned "$out.seen" | sort > "$out.1"
sort "$out.said" > "$out.2"
# What was optimised away at its place is no row, and not all may be.
grep ' ?$' "$out.1" | sed 's/ ?$//' | sort -u > "$out.away"
grep -v ' ?$' "$out.1" > "$out.there"
awk 'NR == FNR { away[$0]; next } { row = $1 " " $2 " " $3; if (!(row in away)) print }' "$out.away" "$out.2" \
	> "$out.expected"
diff "$out.expected" "$out.there" > "$out.diff" || { echo "expected < and seen >:"; head -n 40 "$out.diff"; exit 1; }
rows=$(cut -d' ' -f1-3 "$out.there" | sort -u | wc -l)
away=$(wc -l < "$out.away")
echo "$rows rows, $(wc -l < "$out.there") values; $away optimised away:"
cat "$out.away"
[ "$rows" -ge 300 ]
! grep '^variables ' "$out.away" || exit 1

for program in $programs; do
	cat <<-END
	$program returned times 4 4 8 12
	$program returned swapped -6 5
	$program returned turned -7 -70
	$program returned moved 13 3 10
	$program returned narrow -56
	END
done | sort > "$out.expected"
grep returned "$out.seen" | sort | diff "$out.expected" -
