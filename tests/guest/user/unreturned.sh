# Each call that begins at the entry of a return probe is in the books: as a hit, a missed return, or a call that did
# not return. The script counts the entries by other probes.
set -eu
cd "$MODULES"
# books PROGRAM FUNCTION RETURNS HITS: those in the books of its return, "-" for any number; its other calls have not
# returned.
books() {
	awk -v name="$2" -v returns="$3" -v hits="$4" '
		$1 == name { calls = $2 }
		index($1, "function(\"" name "@") && $1 ~ /\.return$/ { delivered += $3; lost += $5 }
		/^not returned: / && index($6, "function(\"" name "@") { unreturned += $3 }
		END {
			sum = delivered + lost
			if (calls && sum == returns && sum + unreturned == calls && (hits == "-" || delivered == hits))
				exit
			printf "%s: %d calls, %d hits, %d missed, %d not returned\n", name, calls, delivered, lost,
			       unreturned
			exit 1
		}' "out.$1" || wrong=1
}
wrong=0
for program in unreturned unreturned_thrown; do
	staprun -t -c "./$program" "t_$program.ko" > "out.$program" 2>&1
	grep -q '^wrong 0$' "out.$program" || wrong=1
done
# The kernel follows 64 calls of a task.
books unreturned nest 5343 295
books unreturned plain 107 70
books unreturned jump 0 0
books unreturned leave 0 0
books unreturned_thrown deep 1255 -
books unreturned_thrown jump 0 0
books unreturned_thrown leave 0 0
[ $wrong = 0 ] || { cat out.unreturned out.unreturned_thrown; exit 1; }
