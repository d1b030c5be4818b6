# SPDX-License-Identifier: GPL-2.0-or-later
# -D: translator/emit/limits.def has every name and its bounds, and stap-language(7stap) has the same. Nothing that a
# user types after -D is written into the C file.
. "$TOP/tests/cli/expect.inc"
user="$STAP --runtime=user -p3"
hello='probe begin { println("hello") }'
table=$TOP/translator/emit/limits.def
page=$TOP/man/stap-language.7stap

# rows KIND: the fields of the table's rows, separated by blanks
rows() { sed -n "s/^$1(\(.*\)).*/\1/p" "$table" | tr -d '",'; }
[ "$(rows LIMIT | wc -l)" -ge 17 ] && [ "$(rows SWITCH | wc -l)" -ge 2 ] && [ "$(rows IDLE | wc -l)" -ge 20 ] ||
	say_wrong "the table was not read"

# in_page NAME: the row of the page's table, as one line
in_page() {
	awk -F@ -v name="$1" '$1 == name { inside = 1 } inside { printf "%s ", $0 } inside && /^T}$/ { exit }' "$page"
}
while read -r _ name _ initial least easy most; do
	bounds="$least to $easy"
	[ "$easy" = "$most" ] || bounds+=", with \\-g to $most"
	in_page "$name" | grep -qF -- "$bounds" || say_wrong "stap-language(7stap): $name: not '$bounds'"
	[ "$initial" = 0 ] || in_page "$name" | grep -qF "@$initial@" ||
		say_wrong "stap-language(7stap): $name: not $initial"
	for value in "$least" "$easy"; do
		check 0 "/^#define $name $value\$" -- $user "-D$name=$value" -e "$hello"
	done
	for value in $((least - 1)) $((most + 1)); do
		[ "$name $value" != "HIST_ELISION -1" ] || continue
		check 1 "/error: -D$name=$value: a number from $least to $easy is expected" \
			-- $user "-D$name=$value" -e "$hello"
	done
	[ "$easy" = "$most" ] && continue
	for value in $((easy + 1)) "$most"; do
		check 1 "/error: -D$name=$value: more than $easy can .*; it needs -g" \
			-- $user "-D$name=$value" -e "$hello"
		check 0 "/^#define $name $value\$" -- $user -g "-D$name=$value" -e "$hello"
	done
done < <(rows LIMIT)
check 0 -- $user -DHIST_ELISION=-1 -e "$hello"
for value in 99999999999999999999 x 5x '' ' 5' '5 ' +5 5.0 -5 MAXACTION '5;' 0x; do
	check 1 "/error: -DMAXSTRINGLEN=${value/+/[+]}: a number from 2 to 65000 is expected" \
		-- $user "-DMAXSTRINGLEN=$value" -e "$hello"
done
while read -r _ name guru; do
	[ -n "$(in_page "$name")" ] || say_wrong "stap-language(7stap) does not have $name"
	check 1 "/error: -D$name=x: a number is expected, or nothing" -- $user -g "-D$name=x" -e "$hello"
	check 0 "/^#define $name 1\$" -- $user -g "-D$name" -e "$hello"
	case $guru in
	true) check 1 "/error: -D$name removes a limit .* it needs -g" -- $user "-D$name" -e "$hello" ;;
	false) check 0 "/^#define $name 2\$" -- $user -D "$name=2" -e "$hello" ;;
	esac
done < <(rows SWITCH)
while read -r name _; do
	awk '/^These names of SystemTap/ { inside = 1 } /^Work that grows/ { exit } inside' "$page" |
		grep -qxE "$(printf %s "$name" | sed 's/\*/\\*/')(,| and|\.)" ||
			say_wrong "stap-language(7stap) does not have $name"
	name=${name/\*/X}
	check 0 "/^warning: -D$name does nothing here" "!define $name" -- $user "-D$name=anything at all" -e "$hello"
done < <(rows IDLE)
check 0 '/^warning: -DSTP_TIMING does nothing here; -t shows' -- $user -DSTP_TIMING -e "$hello"

# What a user reads.
check 1 \
	"/error: -DMAXACTION=1000000000: more than 10000000 can take the machine's processors for seconds; it needs -g, as --suppress-time-limits does" \
	'/error: -DSTP_NO_OVERLOAD removes a limit that keeps the machine responsive; it needs -g, as --suppress-time-limits does' \
	-- $user -DMAXACTION=1000000000 -DSTP_NO_OVERLOAD -e "$hello"
check 1 '/error: -DMINE=f\(\): a number or an identifier is expected' -- $user -g '-DMINE=f()' -e "$hello"
check 1 '/error: -DASCII_TRACE=x: a number is expected, or nothing' -- $user -DASCII_TRACE=x -e "$hello"

# What is C to the compiler is refused, with -g as well.
while IFS= read -r text; do
	check 1 "/error: -D${text%%=*} sets no limit" '!define' -- $user "-D$text" -e "$hello"
	check 1 '/error: -D[a-z]*=.*: a number or an identifier is expected' '!define' -- $user -g "-D$text" -e "$hello"
done << 'END'
goto={ extern int _printk(const char *, ...); _printk("HERE"); } goto
x=5; int y
x=f()
x="text"
x=/*
x=5\
x=
x=-
x=a-b
x=é
END
check 1 '/error: -Dx=a' '!^#define' -- $user -g "-Dx=a
#define y" -e "$hello"
check 1 '/error: -DMAXACTION=5' '!^#define' -- $user -g "-DMAXACTION=5
#define y" -e "$hello"
check 1 '/error: -DSTP_USER sets no limit; a macro for C in the script needs -g' \
	-- $user -DSTP_USER=STP_KERNEL -e "$hello"
check 0 '/^#define MINE STP_KERNEL$' -- $user -g -DMINE=STP_KERNEL -e "$hello"
check 0 '/^#define MINE 0x10UL$' -- $user -g -DMINE=0x10UL -e "$hello"
check 0 '/^#define MINE 1$' -- $user -g -DMINE -e "$hello"
# A macro of the user's that no C mentions.
check 0 '/^warning: -DNOSUCHMACRO sets no limit; no C in the script mentions it$' \
	-- $user -g -DNOSUCHMACRO=1 -e "$hello"
check 0 '!warning: -D' \
	-- $user -g -DMINE=1 -e "function f:long() %{ STAP_RETVALUE = MINE; %} probe begin { println(f()) exit() }"
check 0 '/^warning: -DMIN sets no limit' \
	-- $user -g -DMIN=1 -e "function f:long() %{ STAP_RETVALUE = 2; /* MINE */ %} probe begin { println(f()) exit() }"
check 0 '/^#define MAXSTRINGLEN 16$' -- $user -DMAXSTRINGLEN=0x10ull -e "$hello"
check 0 '/^#define MAXSTRINGLEN 8$' -- $user -DMAXSTRINGLEN=010 -e "$hello"
check 1 "/error: -DMAXACTIONS sets no limit; did you mean 'MAXACTION'; a macro .* needs -g" \
	-- $user -DMAXACTIONS=5 -e "$hello"
check 0 "/^warning: -DMAXACTIONS sets no limit; did you mean 'MAXACTION'" -- $user -g -DMAXACTIONS=5 -e "$hello"

# Ten times MAXACTION, which is the limit of most probes, has the same bound.
check 0 '/\.action_slow = 10000000,' -- $user -DMAXACTION=5000000 -e "$hello"
check 0 '/\.action_slow = 50000000,' -- $user -g -DMAXACTION=5000000 -e "$hello"

# Scripts of many years say that they want no limit by a threshold above the interval.
check 0 '/\.overload_percent = 50,' '!warning' -- $user -e "$hello"
check 0 '/\.overload_percent = 90,' \
	'/^warning: -DSTP_OVERLOAD_THRESHOLD: more than 90 % of STP_OVERLOAD_INTERVAL needs -g; 90 % is taken' -- $user \
	-D MAXBACKTRACE=100 -D MAXSTRINGLEN=4096 -D MAXMAPENTRIES=10240 -D MAXACTION=10000 \
	-D STP_OVERLOAD_THRESHOLD=5000000000 -e "$hello"
check 0 '/\.overload_percent = 0,' '!warning' -- $user -g -D STP_OVERLOAD_THRESHOLD=5000000000 -e "$hello"
check 0 '/\.overload_percent = 0,' -- $user -g -DSTP_NO_OVERLOAD -e "$hello"
# No share is so small that it is none.
check 0 '/\.overload_percent = 1,' -- $user -DSTP_OVERLOAD_THRESHOLD=0 -e "$hello"
check 0 '/\.overload_percent = 1,' -- $user -DSTP_OVERLOAD_THRESHOLD=1 -e "$hello"
finish
