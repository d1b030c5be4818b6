# Programs, of 64 and 32 bits, that are traced by others, or write to their own code: each call has its hit, no program
# fails, and their code is restored when the probes are gone. A process with other code at the place of a breakpoint
# gets none, and a warning reports this.
# arch: x86_64
# guards: runtime/probe/uprobe.c
set -eu
. "$TOP/tests/wait.inc"
cd build/guest
dir=$(mktemp -d)
fail() { echo "$program, $mode: $1"; cat "$dir"/out "$dir"/err "$dir"/said 2> /dev/null; exit 1; }
n=200
programs=$(ls | grep -xE 'games(_32)?')
for program in $programs; do
	number=0
	for mode in plain traced stepped writable changed replaced copied; do
		# shellcheck disable=SC2024
		staprun -o "$dir/out" -c "./$program $mode $n" t_games.ko > "$dir/said" 2> "$dir/err" ||
			fail "status $?"
		grep -qx begun "$dir/out" && ! grep -qE 'WARNING|ERROR' "$dir/err" || fail 'messages'
		patched=0
		case $mode in
		plain) expected="$n $((n * (n - 1) / 2)) $((n * (n - 1)))" ;;
		traced | stepped) expected="$n 0 $((n * number))" patched=$n ;;
		writable) expected="$((2 * n)) $((n * (n - 1))) $((2 * n * (n - 1) + 2 * n * number))" ;;
		changed) expected="$n 0 $((n * number))" patched=$n ;;
		replaced) expected="$n $((n * (n - 1) / 2)) $((n * (n - 1) + n * number))" ;;
		copied) expected='' patched=$((2 * n)) ;;
		esac
		{
			echo begun
			[ -z "$expected" ] || echo "$program $number $expected"
			[ $patched = 0 ] || echo "$program patched $patched"
		} | diff - "$dir/out" || fail 'the script saw something else'
		number=$((number + 1))
	done

	# held is mode 7. It calls point() five times before it waits for a line, and once after it.
	mkfifo "$dir/go"
	hold() {
		rm -f "$dir/said"
		"./$program" held 5 < "$dir/go" > "$dir/said" & held=$!
		exec 7> "$dir/go"
		wait_until [ -s "$dir/said" ]
	}
	# Its first bytes are xor's, or mov's, as it has made them itself.
	let_go() {
		echo >&7
		exec 7>&-
		wait $held || fail "the program ends with status $?"
		grep -qE "^differs $1, begins 31 b8 " "$dir/said" || fail 'its code'
	}
	attach() {
		staprun -v -o "$dir/out" t_games.ko 2> "$dir/err" & run=$!
		wait_in_place "$dir/err" $run || fail 'it does not begin'
	}
	detach() { kill -TERM $run; wait $run || fail "status $?"; }
	saw() { printf '%s\n' begun "$@" | diff - "$dir/out" || fail 'the script saw something else'; }
	warned() {
		[ "$(grep -c 'has changed its code there, and would crash; it is not probed' "$dir/err")" = 2 ] &&
			grep -qE "\"(patched|replaced)\".*: process $held has" "$dir/err" || fail 'no warning'
	}

	mode='held: probed, then changed'
	attach; hold; detach; let_go 0
	saw "$program 7 5 10 55" "$program patched 1"
	mode='held: changed, then probed'
	hold; attach; let_go 1; detach
	saw "$program 7 1 1 9"
	warned
	mode='held: changed, then probed and left alone'
	hold; attach; detach; let_go 0
	saw
	warned
	rm "$dir/go"
done
echo $programs
