# SPDX-License-Identifier: GPL-2.0-or-later
# Rows of @heat_log of a program, --runtime=user, as tests/guest/run/heat.sh has those of a module: in colours on a
# terminal, as they are in files, for NO_COLOR, and where a terminal is dumb.
# skip: no_terminal
. "$TOP/tests/cli/expect.inc"
unset NO_COLOR
export TERM=xterm
cat > heat.stp <<'END'
global known
probe begin {
  for (i = 1; i <= 100; i++) known <<< i
  println("|", @heat_log(known, 1, 64), "|")
  printf("|%-9s|\n", @heat_log(known, 1, 64))
  printf("%*d|%(own_heat)s|%s|%d\n", 3, 1, ". @", "#", 2)
  print("..:", "@@")
  exit()
}
probe end { printf("%d %s|\n", 5, @heat_log(known, 1, 4)) print(@hist_log(known)) }
END
$STAP --runtime=user heat.stp > plain || say_wrong 'it does not run'
e=$(printf '\033')
! grep -qF "$e" plain && grep -qxF '|...:=%@|' plain || say_wrong "in a file: $(cat -v plain)"
{
	echo "|$e[34m...$e[m$e[34;1m:$e[m$e[36;1m=$e[m$e[31m%$e[m$e[31;1m@$e[m|"
	echo '|...:=%@  |'
	echo "  1|$e[34m.$e[m $e[31;1m@$e[m|#|2"
	echo "..:@@5 $e[34m..$e[m$e[31;1m@$e[m|"
} > expected
# shown ENV…: what a terminal gets
shown() {
	script -qec "env $* $STAP --runtime=user ${options-} heat.stp" /dev/null < /dev/null | sed 's/\r$//' > out
}
shown A=1
head -n 4 out | diff expected - > differs || say_wrong "on a terminal: $(cat -v differs)"
# What is not a row is as in a file.
sed "s/$e\[[0-9;]*m//g" out | diff plain - > differs || say_wrong "colours change the text: $(cat -v differs)"
for how in NO_COLOR=1 TERM=dumb TERM=; do
	shown $how
	diff plain out > differs || say_wrong "$how: $(cat -v differs)"
done
options=--color=never shown A=1
diff plain out > differs || say_wrong "--color=never: $(cat -v differs)"
options='-o file' shown A=1
diff plain file > differs || say_wrong "-o: $(cat -v differs)"
$STAP --runtime=user --color=always heat.stp > out
head -n 4 out | diff expected - > differs || say_wrong "--color=always: $(cat -v differs)"
$STAP --runtime=user --color=always --json heat.stp > out
! grep -qF "$e" out && ! grep -q u001 out || say_wrong '--json: colours'
program=$($STAP --runtime=user -p4 heat.stp)
check 2 '/-C always|never' -- "$program" -C blue
finish
