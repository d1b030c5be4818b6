# SPDX-License-Identifier: GPL-2.0-or-later
# Options: errors in them give exit status 2; every row of options.def and commands.def, and every row of
# run_options.def that stap passes on, is in -h, in the man page and in the completion.
. "$TOP/tests/cli/expect.inc"
user="$STAP --runtime=user"

check 2 "/^stap: unknown option '--vrbose'; did you mean '--verbose'; stap --help lists them" -- $STAP --vrbose
check 2 "/unknown option '--nothing-like-it'; stap --help" '!did you mean' -- $STAP --nothing-like-it
check 2 '/-E adds to a script; give that one as a FILE, or with -e SCRIPT' -- $STAP -E 'probe begin { exit() }'
check 2 "/unknown option '-Q'" -- $STAP -Q
# The beginning of one long name is that option; of several, it is said.
check 0 '/^5$' -- $STAP --runt=user --time=50 --no-global -e 'probe begin { println(5) exit() }'
check 2 '/^stap: --re is the beginning of several: --remote, --remote-file, ' -- $STAP --re=x -e 'probe begin {}'
check 0 '/^5$' -- $user --tmpdir=tmp --tmp "$TMPDIR" -k -e 'probe begin { println(5) exit() }'
grep -q "\"$TMPDIR/stap" err && rm -r "$TMPDIR"/stap* || say_wrong '--tmpdir: elsewhere'
check 2 "/--tmpdir needs a directory that is there, not '/dev/null'" -- $user --tmpdir /dev/null -e 'probe begin {}'
check 2 "/unknown option '-Q'" -- $STAP -vQ
check 0 '/^5$' -- $user -wq -e 'probe begin { println(5) exit() }'
check 2 '/-e needs an argument: SCRIPT' -- $STAP -e
check 2 '/-e is given twice; -E adds another script' -- $STAP -e 'probe begin {}' -e 'probe end {}'
check 2 '/-p needs an argument' -- $STAP -p
check 2 "/-p takes a number from 1 to 5, not '6'" -- $STAP -p6 -e 'probe begin {}'
check 2 "/-p takes a number from 1 to 5, not 'x'" -- $STAP -p x -e 'probe begin {}'
check 2 "/-s takes a number from 1 to 4095, not '0'" -- $STAP -s 0 -e 'probe begin {}'
check 2 "/-x takes a number from 1 to" -- $STAP -x init -e 'probe begin {}'
check 2 "/-m takes a name of letters, digits and '_', at most 54 long, not 'a-b'" -- $STAP -m a-b -e 'probe begin {}'
check 2 "/-D takes NAME=VALUE, not '5'" -- $STAP -D 5 -e 'probe begin {}'
check 2 "/--modinfo takes no names that begin with stap_, such as 'stap_privilege=stapusr'; stap writes those itself" \
	-- $STAP --modinfo stap_privilege=stapusr -e 'probe begin {}'
check 2 "/-G takes VAR=VALUE, not 'a'" -- $STAP -G a -e 'probe begin {}'
check 0 '/^5 x$' -- $user -G argc=5 -G argv_2=b -e 'probe begin { println(argc, " ", argv_1) exit() }' x
check 0 -- $user -G argc=5 -e 'probe begin { exit() }'
check 1 '/-G argk: there is no global variable of that name' -- $user -G argk=5 -e 'probe begin { exit() }'
check 2 "/-G takes NAME=VALUE, not '=5'" -- $STAP -G =5 -e 'probe begin {}'
check 2 "/--runtime is kernel, user or bpf, not 'dyninst'" -- $STAP --runtime=dyninst -e 'probe begin {}'
check 2 "/--color is always, never or auto, not 'red'" -- $STAP --color=red -e 'probe begin {}'
check 2 "/--stack is tables or fp, not 'dwarf'" -- $STAP --stack=dwarf -e 'probe begin {}'
check 2 "/--privilege is stapusr, stapsys or stapdev, not 'root'" -- $STAP --privilege=root -e 'probe begin {}'
check 2 '/-g is for the stapdev privilege, not for stapusr' -- $STAP --unprivileged -g -e 'probe begin {}'
check 2 "/--compatible takes a version of SystemTap up to 5.6, not '9.0'" -- $STAP --compatible=9.0 -e 'probe begin {}'
check 2 '/--verbose takes no argument' -- $STAP --verbose=2 -e 'probe begin {}'
check 2 '/--runtime needs an argument' -- $STAP --runtime
check 2 '/no script; give a FILE, or -e SCRIPT. See stap --help' -- $STAP
check 2 '/-c and -x cannot both be given' -- $STAP -c true -x 1 -e 'probe begin {}'
check 2 '/--runtime=user cannot be combined with --vm' -- $user --vm -e 'probe begin {}'
check 2 "/-T takes a number from 1 to .*, not '0'" -- $user -T 0 -e 'probe begin {}'
check 0 '/^begun$' '/^ended$' \
	-- $user --timeout=1 \
	-e 'probe begin { println("begun") } probe timer.s(5000) { } probe end { println("ended") }'
check 2 '/--runtime=user cannot be combined' -- $user --vm -e 'probe begin {}'
check 2 '/--suppress-time-limits removes limits that keep the machine responsive; it needs -g' \
	-- $STAP --suppress-time-limits -e 'probe begin {}'
check 0 '/^mine$' '/^mine\.other$' '!never' \
	-- $user -l 'mine**' -E 'probe mine = begin { } probe mine.other = end { } probe never { }'
check 2 "/-r '../x' is not a kernel release; give one as uname -r prints it, or a build directory that starts with '/'" \
	-- $STAP -r ../x -e 'probe begin {}'

check 2 "/--vp takes a digit for each pass, as 00012, not '1x'" -- $STAP --vp 1x -e 'probe begin {}'
check 0 '/^Pass 1: parsed user script: 1 probes' -- $user --vp 00100 -p2 -e 'probe begin {}'
check 0 '/^stap [0-9.]+' '/no warranty' -- $STAP -V
check 0 '/^stap [0-9.]+' -- $STAP --version
check 0 '/^Usage: stap' -- $STAP -h
check 0 '/^Usage: stap' -- $STAP --help
check 0 '/begin' '/timer' '/kernel.function' -- $STAP --dump-probe-types
check 0 '/^syscall' -- $STAP --dump-probe-aliases
check 0 '/execname' -- $STAP --dump-functions

# The tables against -h, the page and the completion, both ways: -X and --long of each row.
tables=("$TOP"/translator/base/{options,commands}.def)
sed -nE "s/^(OPTION\(|COMMAND\([A-Z_]+, )'(.)', .*/-\2/p" "${tables[@]}" > letters
sed -nE 's/^(OPTION\(|COMMAND\([A-Z_]+, )[^,]*, "([a-z-]+)".*/--\2/p' "${tables[@]}" > longs
sed -nE "s/^RUN_OPTION\([a-z_]+, '(.)', .*, PASS, [A-Z]+, [A-Z]+, .*/-\1/p" \
	"$TOP/runtime/uapi/run_options.def" >> letters
sed -nE 's/^RUN_OPTION\([a-z_]+, 0, ("[a-z-]+"), .*, PASS, [A-Z]+, [A-Z]+, .*/--\1/p' \
	"$TOP/runtime/uapi/run_options.def" | tr -d '"' >> longs
[ "$(wc -l < letters)" -gt 20 ] && grep -qxe -M letters && grep -qxe --on-full longs && grep -qxe -i letters &&
	grep -qxe --doctor longs || say_wrong "options.def, commands.def or run_options.def could not be read"
sort letters longs > table
$STAP -h | sed '/^Examples/,$d' | grep -oE '^ +(-[A-Za-z])?(, )?(--[a-z-]+)?' | grep -oE -- '--[a-z-]+|-[A-Za-z]' |
	sort > help
diff table help > out || say_wrong "-h differs from the tables (<: table, >: help)"
sed -n '/^\.SH OPTIONS/,/^\.SH [^O]/p' "$TOP/man/stap.1" | sed 's/\\-/-/g' | grep -A 1 -xE '\.T[PQ]' |
	grep -oE -- '(^| |")--?[A-Za-z][a-z-]*' | grep -oE -- '--[a-z-]+|-[A-Za-z]' | sort -u > page
diff table page > out || say_wrong "man/stap.1 differs from the tables (<: table, >: page)"
(
	. "$TOP/man/stap.bash"
	for word in - --; do
		COMP_WORDS=("$STAP" $word) COMP_CWORD=1
		_stap
		printf '%s\n' "${COMPREPLY[@]}"
	done
) | sed 's/=$//' | sort -u > completion
diff table completion > out || say_wrong "man/stap.bash differs from the tables (<: table, >: completion)"
# The limits as well.
sed -nE 's/^LIMIT\([A-Z_]+, "([A-Z_]+)".*/\1/p' "$TOP/translator/emit/limits.def" > limits
while read -r limit; do
	grep -q "$limit" "$TOP/man/stap.1" || say_wrong "man/stap.1 does not say what $limit is"
done < limits

# SystemTap's other options: accepted, or refused with what the table says; all stand in the page.
sed -nE 's/^FOREIGN\("(-[^"]*)", (true|false), .*/\1 \2/p; s/^VALUED\("(-[^"]*)".*/\1 true/p' \
	"$TOP/translator/base/foreignoptions.def" > foreign
[ "$(wc -l < foreign)" -gt 15 ] || say_wrong "foreignoptions.def could not be read"
while read -r option accepted; do
	if [ "$accepted" = true ]; then
		check 0 -- $user "$option" -p1 -e 'probe begin { }'
	else
		check 2 "/^stap: $option: ..........." -- $user "$option" x -p1 -e 'probe begin { }'
	fi
	sed -n "/^\.SH .SYSTEMTAP'S OTHER/,/^\.SH LANG/p" "$TOP/man/stap.1" | sed 's/\\-/-/g' |
		grep -qE -- "^\.BR $option( |\$)" || say_wrong "man/stap.1 does not have $option"
done < foreign
check 0 '/^warning: -BCONFIG_MODVERSIONS=y does nothing here; -D defines a macro, -r /DIR takes another build tree' \
	-- $user -B CONFIG_MODVERSIONS=y -p3 -e 'probe begin { println(1) exit() }'
# --poison-cache: what the cache has is not read, and is written anew.
export SYSTEMTAP_DIR=$PWD/poisoned
check 0 -- $user -p4 -e 'probe begin { println(1) exit() }'
program=$(cat out)
echo stale > "$program"
check 0 -- $user -p4 -e 'probe begin { println(1) exit() }'
[ "$(cat "$program")" = stale ] || say_wrong 'the cache was not used'
check 0 '/^1$' -- $user --poison-cache -e 'probe begin { println(1) exit() }'
check 0 '/^1$' -- $user -e 'probe begin { println(1) exit() }'
unset SYSTEMTAP_DIR
# -m leaves the module here, whatever comes after.
if [ -n "${KERNEL-}" ]; then
	$STAP -r "$KERNEL" -m left_here -e 'probe begin { exit() }' > out 2> err
	[ -s left_here.ko ] || say_wrong '-m: no module'
	check 0 "/^$PWD/left_here.ko\$" \
		-- $STAP --poison-cache -r "$KERNEL" -m left_here -p4 -e 'probe begin { exit() }'
fi
# Arguments that the script does not ask for: argument 'b c' is not used: the script has no $2 or @2
check 0 "/^warning: argument 'b c' is not used: the script has no .2 or @2$" '!argument .a' \
	-- $user -p1 -e 'probe begin { println(@1, $#) }' a 'b c'
check 0 '!is not used' -- $user -p1 -e 'probe begin { println(@1, $2) }' a 7
check 0 '!is not used' -- $user -w -p1 -e 'probe begin { }' a
check 0 -- $user --prologue-searching=always -vp1 -e 'probe begin { }'
check 2 "/^stap: --prologue-searching takes one of always, auto, never, not 'blah'" \
	-- $user --prologue-searching=blah -p1 -e 'probe begin { }'
check 2 '/^stap: -S and --compress need -o FILE' -- $STAP -S 5 -p1 -e 'probe begin { }'
check 2 '/^stap: -S and --compress need -o FILE' -- $STAP --compress -p1 -e 'probe begin { }'
check 0 -- $STAP -S 5 -o out.log -p1 -e 'probe begin { }'
check 0 -- $user -a x86_64 --download-debuginfo=no -p1 -e 'probe begin { }'
check 2 "/^stap: -a: scripts are translated for x86_64, aarch64, riscv64, not 'sparc'" -- \
	$user -a sparc -p1 -e 'probe begin { }'
case $(uname -m) in x86_64) other=arm64 ;; *) other=x86_64 ;; esac
check 2 "/^stap: -a $other: programs of --runtime=user are made for this machine" -- \
	$user -a $other -p1 -e 'probe begin { }'
check 0 '/^MODULE_INFO\(note, "a \\"b\\""\);$' '/^MODULE_INFO\(depends, ""\);$' \
	-- $STAP -p3 --modinfo 'note=a "b"' --modinfo=depends= -e 'probe begin { }'
check 2 "/--modinfo takes NAME=VALUE, not 'note'" -- $user --modinfo note -e 'probe begin { }'
check 2 '/^stap: --monitor: ' -- $user --monitor=2 -e 'probe begin { }'
# How often tables come: timers whose handlers print, be it in a function.
check 2 "/--top takes a number from 1 to 86400, not '0'" -- $STAP --top=0 -e 'probe begin { }'
if [ -n "$KERNEL" ]; then
	often='function f() { g() }
		function g() { println(1) } probe timer.ms(700), begin { f() } probe timer.s(9) { exit() }
		probe timer.s(30) { if (sprint(1) != "1") exit() } probe timer.s(5).randomize(3) { print(2) }'
	check 0 '/^timer\.s\(2\) /\*  <- timer\.s\(2\),begin ' '/^begin ' '/^timer\.s\(9\)' '/^timer\.s\(30\)' \
		'/^timer\.s\(2\) /.*<- timer\.s\(2\) ' '!timer\.ms|timer\.s\(5' \
		-- $STAP -w -r "$KERNEL" -p2 --top=2 -e "$often"
	check 0 '/^timer\.ms\(700\) ' '/^timer\.s\(5\)\.randomize\(3\) ' -- $STAP -w -r "$KERNEL" -p2 --top -e "$often"
	check 0 '/^timer\.s\(1\) ' '!timer\.s\(3' -- $STAP -r "$KERNEL" -p2 --example disk-top --top=1
fi
check 2 "/--rlimit-cpu takes a number, not 'all'" -- $user --rlimit-cpu=all -e 'probe begin { }'
check 0 '/probe begin' -- $user --rlimit-cpu=20 --rlimit-fsize=1000000 -p1 -e 'probe begin { }'
check 3 '/File too large' \
	-- env SYSTEMTAP_DIR="$PWD/small" $user --rlimit-fsize=20000 -e 'probe begin { println("small") exit() }'
SYSTEMTAP_DIR=$PWD/cache check 0 -- $STAP --clean-cache

# Options that are always wanted: rc's, before those of the command line.
mkdir -p dir home/.systemtap
rc="env SYSTEMTAP_DIR=$PWD/dir"
show='global a = "none" probe begin { println("<", a, ">", $#) exit() }'
printf "# mine\n\n  --runtime=user -w\n-G 'a=two words'\n-DMAXACTION='2000'\n" > dir/rc
check 0 '/^<two words>1$' -- $rc $STAP -e "$show" x
check 0 '/^<later>0$' -- $rc $STAP -G a=later -e "$show"
echo --runtime=user > home/.systemtap/rc
check 0 '/^<none>0$' -- env -u SYSTEMTAP_DIR HOME="$PWD/home" $STAP -e "$show"
check 0 '/^<none>0$' -- env -u SYSTEMTAP_DIR -u HOME $STAP --runtime=user -e "$show"
for text in '-G a=$(id)' '-e `id`' "-G 'a" '-w; id' '-w > x'; do
	printf -- '-w\n%s\n' "$text" > dir/rc
	check 2 '/dir/rc:2: not words of a command line' -- $rc $STAP --runtime=user -e "$show"
done
echo script.stp > dir/rc
check 2 "/dir/rc: 'script.stp' is not an option" -- $rc $STAP --runtime=user -e "$show"
echo --nothing-like-it > dir/rc
check 2 "/unknown option '--nothing-like-it'" -- $rc $STAP --runtime=user -e "$show"
chmod o+w dir/rc
check 3 "/dir/rc: its options are ignored: .*/dir/rc may be written by other users; chmod go-w fixes that" \
	-- $rc $STAP --runtime=user -e "$show"
# A terminal that only prints has no colours, and nothing is drawn on it.
for terminal in dumb xterm; do
	TERM=$terminal NO_COLOR='' on_terminal $user -p1 -e 'probe begin { x = }' > "out.$terminal" 2>&1
done
grep -q "$(printf '\033')\[" out.xterm || say_wrong 'TERM=xterm: no colours'
! grep -q "$(printf '\033')" out.dumb || say_wrong 'TERM=dumb: colours'
finish
