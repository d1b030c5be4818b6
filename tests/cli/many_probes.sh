# SPDX-License-Identifier: GPL-2.0-or-later
# 10,000 written probes with handlers that differ only in numbers: the memory that stap needs for them, and the C is
# complete.
set -eu
seq 10000 | awk '
	BEGIN { print "global n, h, last, names" }
	{
		print "probe timer.ms(" $1 ") { n++; h[" $1 % 10 "] <<<", $1 "; last = gettimeofday_ns()"
		print "if (pid() ==", $1 ") names[execname()]++ }"
	}
	END {
		print "probe end { println(n, @count(h[1]), last); foreach (p in names) println(p, names[p]) }"
	}' > "$WORK/many.stp"
"$STAP" --runtime=user -v -p3 "$WORK/many.stp" > "$WORK/many.c" 2> "$WORK/said"
[ "$(grep -c '^static void handler_[0-9]*(struct stp_ctx \*c)$' "$WORK/many.c")" -le 11 ]
[ "$(grep -c '^\.handler = handler_[0-9]*,$' <<< "$(tr -d '\t' < "$WORK/many.c")")" = 10001 ]
memory=$(sed -n 's/^Pass 3: .* \([0-9]*\) MB\.$/\1/p' "$WORK/said")
[ "$memory" -gt 0 ] && [ "$memory" -le 210 ] || { echo "$memory MB"; exit 1; }
