# args: 
# Input through a pipe, at the end of a pipe, and from a terminal, whose settings are restored.
set -eu
. "$TOP/tests/wait.inc"
out=$(mktemp)
want='begun
<a><b>[1 ab]
<c>[2 c]
[3 ]
an empty one
<q>'
same() { [ "$(tr -d '\r' < "$out")" = "$1" ] || { echo "$2:"; cat "$out"; exit 1; }; }
printf 'ab\nc\n\nq unread' | staprun "$MODULES/t_input.ko" > "$out"
same "$want" 'a pipe'
{ printf 'ab\nc'; sleep 1; } | staprun --timeout 3 "$MODULES/t_input.ko" > "$out"
same 'begun
<a><b>[1 ab]
<c>' 'a pipe that ends'
script -qc "stty -a > $out.before; staprun -v $MODULES/t_input.ko > $out 2> $out.err; stty -a > $out.after" /dev/null < <(
	wait_until in_place "$out.err" >&2
	for c in a b '\n' c '\n' '\n' q; do printf "$c"; sleep 0.1; done
	wait_until [ -s "$out.after" ] >&2
) > "$out.screen"
same "$want" 'a terminal'
cmp "$out.before" "$out.after"
! grep -q 'ab' "$out.screen" || { echo 'the terminal shows what is typed'; cat "$out.screen"; exit 1; }
