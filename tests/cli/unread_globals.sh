# SPDX-License-Identifier: GPL-2.0-or-later
# Globals that a script never reads are printed by one function out of a table: 600 of them are 600 rows of C, no
# functions. The site of each in data is its own name.
set -eu
seq 150 | awk '
	{
		print "global n" $1 ", a" $1 ", s" $1 ", t" $1
		body = body "n" $1 "++; a" $1 "[execname(), 1]++; s" $1 " <<< 3; t" $1 " = \"x\"\n"
	}
	END { print "probe begin {\n" body "exit() }" }' > "$WORK/unread.stp"
"$STAP" --runtime=user -p3 "$WORK/unread.stp" > "$WORK/unread.c"
"$STAP" --runtime=user -p3 --no-global-var-display "$WORK/unread.stp" > "$WORK/plain.c"
each=$((($(wc -c < "$WORK/unread.c") - $(wc -c < "$WORK/plain.c")) / 600))
[ $each -le 260 ] || { echo "$each bytes of C for each global that is never read" >&2; exit 1; }
[ "$(grep -c 'stp_unread_' "$WORK/unread.c")" = 1 ]
"$STAP" --runtime=user "$WORK/unread.stp" > "$WORK/out"
[ "$(wc -l < "$WORK/out")" = 600 ]
sed -n '597,600p' "$WORK/out" > "$WORK/last"
diff - "$WORK/last" <<- END
	n150=1
	a150["$(sed -n 's/^a1\["\(.*\)",1\]=1$/\1/p' "$WORK/out")",1]=1
	s150 @count=1 @min=3 @max=3 @sum=3 @avg=3
	t150="x"
END

# A place for errors: the array is larger than the budget.
"$STAP" --runtime=user -D MAXACTION_INTERRUPTIBLE=20 -e 'global few, many, k
	probe begin { few = 1 }
	probe timer.ms(1) { if (k < 400) for (i = 0; i < 5; i++) many[k++] = k; else exit() }' \
	> "$WORK/out" 2> "$WORK/err" || true
grep -q "^ERROR: MAXACTION exceeded (.*) near identifier 'many' at <input>:1:13" "$WORK/err" || {
	cat "$WORK/err" >&2
	exit 1
}
