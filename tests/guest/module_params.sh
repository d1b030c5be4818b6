# Globals set when the module is loaded, and what is refused.
set -eu
err=$(mktemp)
expect() { # expect OUTPUT PARAM…
	local want=$1 got
	shift
	got=$(staprun "$MODULES/t_params.ko" "$@" 2> "$err") || { echo "'$*': status $?"; cat "$err"; exit 1; }
	[ "$got" = "$want" ] || { echo "'$*': '$got'"; exit 1; }
}
refuse() { # refuse REGEX PARAM…
	local want=$1
	shift
	! staprun "$MODULES/t_params.ko" "$@" > "$err" 2>&1 || { echo "'$*' was taken:"; cat "$err"; exit 1; }
	grep -qE -- "$want" "$err" || { echo "'$*':"; cat "$err"; exit 1; }
	! grep -q '^t_params ' /proc/modules || { echo "'$*': still loaded"; exit 1; }
}
expect '1 <none> 1'
expect '42 <none> 1' number=42
expect '-7 <two words> 1' 'text=two words' number=-7
expect '31 <> 1' number=0x1f text=
expect '-9223372036854775808 <x=y> 1' number=-9223372036854775808 text=x=y
expect "$(printf '1 <none> 1\nmode 5')" ATTR_MODE=5
got=$(staprun -r 3:ssh://there "$MODULES/t_params.ko" 2> "$err") || { cat "$err"; exit 1; }
[ "$got" = "$(printf '1 <none> 1\n3 <ssh://there>')" ] || { echo "-r: $got"; exit 1; }
refuse 'number' number=abc
refuse 'number' number=9223372036854775808
refuse 'number' number=
refuse 'array' array=1
refuse 'nothing' nothing=1
refuse '-c: options stand in front of the module.s name' -c true
refuse 'text' "text=$(printf '%0600d' 0)"
