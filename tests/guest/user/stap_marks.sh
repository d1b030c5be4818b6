# The markers of stap, staprun and stapio: for a new script, for one in the cache, and for its run.
# skip: [ -n "${TEST_ARCH-}" ] && echo "not here: stap of $TEST_ARCH"
# guards: translator stapio staprun lib trace stap
set -eu
. "$TOP/tests/wait.inc"
d=$(mktemp -d)
wrong() { cat "$d/out" "$d/err" "$d"/log; echo "$1"; exit 1; }
staprun -v -o "$d/out" "$MODULES/t_stap_marks.ko" 2> "$d/err" & run=$!
wait_until in_place "$d/err" || wrong 'staprun does not begin'
cd "$d"
stap -p4 -m marked -e 'probe begin { warn("told by what nobody has translated before") exit() }' > "$d/log" 2>&1 ||
	wrong 'stap -p4'
stap -p4 -m marked -e 'probe begin { warn("told by what nobody has translated before") exit() }' >> "$d/log" 2>&1 ||
	wrong 'stap -p4 again'
staprun marked.ko >> "$d/log" 2>&1 || wrong 'staprun marked.ko'
kill -TERM $run
wait $run
for pass in 0 0.end 1b 1a 1.end 2 2.end 3 3.end 4 4.end 6 6.end; do passes="${passes-}pass$pass "; done
[ "$(grep -cx "passes $passes" "$d/out")" = 2 ] || wrong "not twice: passes $passes"
entry=$(sed -n 's|^add .* \(.*/modules/.*\)/marked\.ko$|\1|p' "$d/out")
said() { grep -Eqx -- "$1" "$d/out" || wrong "no line is: $1"; }
said "add .*/marked\.ko $entry/marked\.ko"
said "get '' $entry/marked\.ko"
said 'system .*(cc|gcc|make)[^ ]* .*'
said 'spawn 0 alive'
said 'return 0'
said 'insert .*marked\.ko'
said 'remove marked'
said 'send right'
said 'receive right'
said 'bad 0'
