# SPDX-License-Identifier: GPL-2.0-or-later
# stap --fmt, and -p1: what is printed means what was read.
. "$TOP/tests/cli/expect.inc"
stap="$STAP --runtime=user"

cat > script.stp <<'EOF'
#! /usr/bin/env stap
global   a,b   ,
 c%[ 10 ]   // in a column
probe begin{
if(a) b=1   /* why */
   else   b =2
for(i=0;i<5;i++)
if (a)
print( i )
else {
print( -i )
}
foreach( k in c-)
{
# inside
   printf( "%d" , k)
}



b = a &&
i
}
function f:long(x , y) %{
   int  z;
%}
%( kernel_v >= "2.6" %? probe end { } %:
probe error { }
%)
EOF
cat > wanted.stp <<'EOF'
#! /usr/bin/env stap
global a, b,
	c%[10]   // in a column
probe begin {
	if (a) b = 1   /* why */
	else b = 2
	for (i = 0; i < 5; i++)
		if (a)
			print(i)
		else {
			print(-i)
		}
	foreach (k in c-)
	{
		# inside
		printf("%d", k)
	}

	b = a &&
		i
}
function f:long(x, y) %{
   int  z;
%}
%( kernel_v >= "2.6" %? probe end { } %:
	probe error { }
%)
EOF
check 0 -- $stap --fmt script.stp
diff out wanted.stp || say_wrong "laid out differently"
check 0 '/^probe begin \{ x = 1 \}$' -- $stap --fmt -e 'probe begin{x=1}'
check 1 '/<input>:1:15: error: string is never closed' '/Pass 1: parse failed' -- $stap --fmt -e 'probe begin { "a }'
check 1 '/cannot read the script: nothing.stp' -- $stap --fmt nothing.stp

# Every script there is. Those of tests/errors are wrong, and some hold what is not a text file.
for f in "$TOP"/tapset/*.stp "$TOP"/examples/*/*.stp "$TOP"/tests/{lang,guest/*,parse}/*.stp; do
	# A character that is none, in a branch that is not taken.
	case $f in */tests/parse/preprocessor.stp) continue ;; esac
	$STAP --fmt "$f" > once.stp 2> err || say_wrong "$f: not laid out"
	$STAP --fmt once.stp > twice.stp
	cmp -s once.stp twice.stp || say_wrong "$f: --fmt changes what --fmt wrote"
	$STAP -gw -p1 --compatible=5.6 "$f" one two > tree 2> err || continue # it has arguments of its own
	$STAP -gw -p1 tree > again 2> err
	cmp -s tree again || say_wrong "$f: -p1 of what -p1 printed differs"
	$STAP -gw -p1 once.stp one two > again 2> err
	cmp -s tree again || say_wrong "$f: another tree after --fmt"
done
finish
