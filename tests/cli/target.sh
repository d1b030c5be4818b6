# SPDX-License-Identifier: GPL-2.0-or-later
# -c and -x of scripts that run as programs: target(), the order of the output, which one ends when the other does, and
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

# The command is the target itself, without a shell between, whatever its words have in them; where it takes a shell,
# one command still becomes the target.
cat > whoami.c << 'EOF'
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char name[64] = "";
	FILE *f = fopen("/proc/self/comm", "r");

	if (f && fscanf(f, "%63s", name) != 1)
		return 1;
	fprintf(stderr, "I %d %s", getpid(), name);
	for (int i = 1; i < argc; i++)
		fprintf(stderr, " <%s>", argv[i]);
	fputc('\n', stderr);
	return 0;
}
EOF
${CC:-gcc} -o whoami whoami.c || exit
ln -sf whoami 'who am i'
# is_target COMMAND WORDS: the command runs as the target, with these words
is_target() {
	echo "in the way" > glob.x
	AWORD='a b' check 0 -- $user -c "$1" -e 'probe begin { println("T ", target()) }'
	[ "$(sed -n 's/^I \([0-9]*\) .*/\1/p' err)" = "$(sed -n 's/^T //p' out)" ] ||
		say_wrong "'$1': is not the target"
	[ "$(sed -n 's/^I [0-9]* [^ ]* *//p' err)" = "$2" ] || say_wrong "'$1': words are not $2"
}
is_target './whoami a=b c%d' '<a=b> <c%d>'
is_target "./whoami 'a b' \"c d\" e\\ f" '<a b> <c d> <e f>'
is_target './whoami glob.* no*thing gl[o]b.?' '<glob.x> <no*thing> <glob.x>'
is_target './whoami ! a!b a#b ~ "~"' "<!> <a!b> <a#b> <$HOME> <~>"
is_target './whoami $AWORD "$AWORD" ${AWORD}c $NOWHERE "$NOWHERE"' '<a> <b> <a b> <a> <bc> <>'
is_target './whoami "a;b" "<|>" \&' '<a;b> <<|>> <&>'
is_target '"./who am i" x' '<x>'
is_target '  ./whoami  spaces  ' '<spaces>'
is_target './whoami > file' ''
is_target './whoami x 2>&2 > file' '<x>'
is_target '> file ./whoami x 3< /dev/null y' '<x> <y>'
is_target './whoami {} {a' '<{}> <{a>'
is_target './whoami $((1+2)) "$(echo s u b)" `echo b t`' '<3> <s u b> <b> <t>'
is_target './whoami ${AWORD%b}x' '<a> <x>'
is_target 'A=1 B="2 3" ./whoami x' '<x>'
is_target 'A=$AWORD ./whoami x > file' '<x>'
is_target 'exec ./whoami x' '<x>'
check 0 '/^7 8 9$' -- $user -c 'A="7 8" B=9 sh -c "echo \$A \$B"' -e "$both"
# A point without a path is of that program, too.
check 0 '/^process\("[^"]*whoami"\).function\("main"\)' -- $STAP ${KERNEL:+-r "$KERNEL"} -l 'process.function("main")' \
	-c 'A=1 "./who am i" x > file'
# Substitutions run once, by the shell alone.
check 0 -- $user -c 'echo $(echo >> once) `echo >> once`' -e "$both"
[ "$(wc -l < once)" = 2 ] || say_wrong 'a substitution ran twice'
check 1 '/exit status 3$' -- $user -c '(exit 3)' -e "$both"
check 0 '/^one$' '/^two$' -- $user -c 'echo one; echo two' -e "$both"
check 0 '/^two$' '!^one' -- $user -c 'echo one | sed s/one/two/' -e "$both"
check 0 '/^two$' -- $user -c 'echo one &
	wait; echo two' -e "$both"
check 0 '/^in$' -- $user -c 'cat << EOF
in
EOF' -e "$both"
check 1 '/^WARNING: the command ended with exit status 2$' -- $user -c "echo 'a" -e "$both"
# A file without an interpreter's line is the shell's.
printf 'echo "$1 $0"\n' > text && chmod +x text
check 0 '/^x ./text$' -- $user -c './text x' -e "$both"

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

# A thread has no end of its own that a script could wait for.
python3 -c 'import threading, time
t = threading.Thread(target=time.sleep, args=(60,), daemon=True)
t.start()
print(t.native_id, flush=True)
time.sleep(60)' > thread & threads=$!
wait_until test -s thread
check 1 '/^ERROR: -x: this is a thread; name its process' '!begun' -- $user -x "$(cat thread)" -e "$both"
kill $threads

# The same warning once, or each time.
twice='probe begin { warn("same") warn("other") warn("same") exit() }'
check 0 '/^WARNING: other$' -- $user -e "$twice"
[ "$(grep -c '^WARNING: same$' err)" = 1 ] || say_wrong 'a warning is repeated'
check 0 -- $user -vv -e "$twice"
[ "$(grep -c '^WARNING: same$' err)" = 2 ] || say_wrong '-vv: a warning is not repeated'
# -w: none, of the script, of the command and of the run.
check 0 '!WARNING' '/^kept$' -- $user -w -e 'probe begin { warn("gone") println("kept") exit() }'
check 1 '!WARNING' -- $user -w -c 'exit 3' -e "$both"
check 1 '!WARNING' '/^ERROR: mine' -- $user -w -e 'probe begin { error("mine") }'
# -t shows the same table as of a module.
check 0 '/^probe +hits +delivered +dropped +skipped +ns/hit$' '/^begin +1 +1 +0 +0( +[0-9]+)?$' '/^total +1 +1 +0 +0' \
	"!$(printf '\t')" -- $user -t -e 'probe begin { exit() }'
finish
