# Files in /proc: chunks, sizes, modes, several handlers, a script that ends while a file is open.
set -eu
. "$TOP/tests/wait.inc"
out=$(mktemp)
staprun -v -o "$out" "$MODULES/t_procfs.ko" 2> "$out.err" & run=$!
wait_until in_place "$out.err"
same() { [ "$2" = "$3" ] || { echo "$1: '$2', not '$3'"; cat "$out.err"; exit 1; }; }
cd /proc/systemtap/t_procfs
text() { seq 0 99 | sed "s/.*/line & of text $1/"; }
same 'one read' "$(cat dir/long)" "$(text 1)"
same 'small chunks' "$(dd if=dir/long bs=7 2> /dev/null)" "$(text 2)"
exec 3< dir/long
first=$(head -c 20 <&3)
same 'another reader in between' "$(cat dir/long)" "$(text 4)"
same 'the rest is the first reader'"'"'s' "$first$(cat <&3)" "$(text 3)"
same 'cut to size' "$(cat dir/short)" 012345678
head -c 1200 /dev/zero | tr '\0' y > "$out.y"
cat "$out.y" > command
printf 'hello' > command
same 'what was written' "$(cat command)" '<511 yyyyy><511 yyyyy><178 yyyyy><5 hello>'
same 'two handlers' "$(cat open)" $'first\nsecond'
same nothing "$(cat empty never | wc -c)" 0
same 'the reader' "$(cat who)" 'cat 0'
same modes "$(stat -c '%a %n' command open echo dir/long | xargs)" '600 command 404 open 200 echo 400 dir/long'
! cat fails > /dev/null 2> "$out.fails" || { echo 'a handler that fails gives a text'; exit 1; }
grep -q 'temporarily unavailable' "$out.fails"
echo x > echo
echo > stop
wait $run || true
grep -q 'division by 0' "$out.err"
grep -qF 'buffer size exceeded, consider .maxsize(17) near identifier '"'\$value'" "$out.err"
grep -q '^written: x$' "$out"
! grep -q '^t_procfs ' /proc/modules || { echo 'it stays loaded'; exit 1; }
! cat <&3 2> /dev/null || { echo 'a file without a script can be read'; exit 1; }
cd /
[ ! -e /proc/systemtap/t_procfs ]
! dmesg | grep -E 'WARNING:|BUG:|proc_dir_entry' || exit 1
