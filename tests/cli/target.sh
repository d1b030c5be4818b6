# SPDX-License-Identifier: GPL-2.0-or-later
# -c and -x of scripts that run as programs: target(), the order of what is printed, who ends when the other does, and
# the status.
. "$TOP/tests/cli/expect.inc"
user="$STAP --runtime=user"
both='probe begin { println("begun ", target() > 0) } probe end { println("ended") }'

prints() { [ "$(cat out)" = "$1" ] || say_wrong "$2: printed $(tr '\n' ' ' < out), expected $1"; }

# The command runs when begin is through, and its end is the script's.
check 0 '!WARNING' -- $user -c 'echo traced' -e "$both"
prints "$(printf 'begun 1\ntraced\nended')" -c
check 0 -- $user -c 'sh -c "echo $$ > pid; exec sleep 0.01"' -e 'probe begin { println(target()) }'
[ "$(cat pid)" = "$(cat out)" ] || say_wrong "target() is $(cat out), the command $(cat pid)"
# cat(1) copies a file to a file by copy_file_range(2), which may lie over what is written at the same time.
INPUT=/etc/hostname check 0 "/^$(cat /etc/hostname)$" '/^by the way$' \
	-- $user -c 'head -n 1' -e 'probe begin { system("echo by the way") }'

# How it ends is said, and is the status.
check 1 '/^WARNING: the command ended with exit status 3$' '/^ended$' -- $user -c 'exit 3' -e "$both"
check 1 '/^WARNING: the command was killed by signal 9 \(Killed\)$' '/^ended$' -- $user -c 'kill -9 $$' -e "$both"
check 1 "/^ERROR: cannot run '/nothing/there': No such file" '/exit status 127$' '/^ended$' \
	-- $user -c /nothing/there -e "$both"

# A script that ends first tells the command; one that ends in begin has none.
check 0 '/^tick$' '!WARNING' '!late' \
	-- $user -c 'sleep 60; echo late' -e 'probe begin { } probe timer.ms(20) { println("tick") exit() }'
check 0 '!WARNING' '!traced' -- $user -c 'echo traced' -e 'probe begin { exit() }'
check 0 '/^WARNING: the command \(process [0-9]+\) goes on' \
	-- $user -c 'trap "" TERM; echo $$ > stubborn; exec sleep 60' \
	-e 'probe begin { } probe timer.ms(200) { exit() }'
wait_until test -s stubborn && kill "$(cat stubborn)"

# -x: a process that is there.
sleep 60 & other=$!
check 0 "/^$other$" -- $user -x $other -e 'probe begin { println(target()) exit() }'
kill -0 $other || say_wrong 'the process of -x was ended'
$user -x $other -o file -e "$both" & run=$!
wait_until grep -qs begun file || say_wrong '-x: does not begin'
kill $other
wait $run || say_wrong "-x: exit status $?"
grep -q ended file || say_wrong '-x: does not end with the process'
check 1 '/^ERROR: -x: there is no such process$' '!begun' -- $user -x $other -e "$both"

# The same warning once, or each time.
twice='probe begin { warn("same") warn("other") warn("same") exit() }'
check 0 '/^WARNING: other$' -- $user -e "$twice"
[ "$(grep -c '^WARNING: same$' err)" = 1 ] || say_wrong 'a warning is repeated'
check 0 -- $user -vv -e "$twice"
[ "$(grep -c '^WARNING: same$' err)" = 2 ] || say_wrong '-vv: a warning is not repeated'
finish
