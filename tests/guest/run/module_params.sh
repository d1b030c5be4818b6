# Globals set when the module is loaded, and refused values.
# guards: runtime stapio staprun translator/module lib trace
set -eu
err=$(mktemp)
run() { # run [-r N:URI] PARAM…
	if [ "${1-}" = -r ]; then staprun -r "$2" "$MODULES/t_params.ko"; else staprun "$MODULES/t_params.ko" "$@"; fi
}
expect() { # expect OUTPUT PARAM…
	local want=$1 got
	shift
	got=$(run "$@" 2> "$err") || { echo "'$*': status $?"; cat "$err"; exit 1; }
	[ "$got" = "$want" ] || { echo "'$*': '$got'"; exit 1; }
}
refuse() { # refuse REGEX PARAM…
	local want=$1
	shift
	! run "$@" > "$err" 2>&1 || { echo "'$*' was taken:"; cat "$err"; exit 1; }
	grep -qE -- "$want" "$err" || { echo "'$*':"; cat "$err"; exit 1; }
	! grep -q '^t_params ' /proc/modules || { echo "'$*': still loaded"; exit 1; }
}
expect '1 <none> 1'
expect '42 <none> 1' number=42
expect '-7 <two words> 1' 'text=two words' number=-7
expect '31 <> 1' number=0x1f text=
expect '-9223372036854775808 <x=y> 1' number=-9223372036854775808 text=x=y
expect "$(printf '1 <none> 1\nmode 5')" ATTR_MODE=5
# Every byte that a value may hold, also those that the kernel takes for blanks where they are not quoted.
bytes=$(for n in $(seq 32 126) $(seq 128 255); do [ $n = 34 ] || printf "\\x$(printf %x $n)"; done)
for ((at = 0; at < ${#bytes}; at += 50)); do
	expect "5 <${bytes:at:50}> 1" number=5 "text=${bytes:at:50}"
done
expect "1 <$(printf 'voil\303\240')> 1" "text=$(printf 'voil\303\240')"
expect "1 <$(printf 'x\240number=7')> 1" "text=$(printf 'x\240number=7')"
expect "$(printf '1 <none> 1\n3 <x\240number=7>')" -r "$(printf '3:x\240number=7')"
for n in $(seq 1 31) 34 127; do
	refuse 'cannot hold a (control character|double quote)' "text=a$(printf "\\$(printf %03o $n)b")"
done
refuse 'not a global of the script' dyndbg=+p
refuse 'not a global of the script' async_probe=1
refuse 'longer than' -r "3:$(printf '%0600d' 0)"
expect "$(printf '1 <none> 1\n3 <ssh://there>')" -r 3:ssh://there
refuse 'number' number=abc
refuse 'number' number=9223372036854775808
refuse 'number' number=
refuse 'array' array=1
refuse 'nothing' nothing=1
# Options may stand behind the module's name, and begin like only one.
expect '42 <none> 1' -T 50 number=42 --time=30
refuse "unrecognized option '--nothing'" --nothing
refuse '-c: a parameter is NAME=VALUE' -- -c true
refuse 'text' "text=$(printf '%0600d' 0)"
