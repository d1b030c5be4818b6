# Scripts that run without a reader: -L, -A, SIGQUIT, -F, -D, -d; a reader that is killed; the same module twice (-R);
# -s, -T, --timeout.
set -eu
. "$TOP/tests/wait.inc"
dir=$(mktemp -d)
cd "$dir"
fail() { cat err; echo "$1"; exit 1; }
loaded() { grep -q "^$1 " /proc/modules; }
wait_for() { wait_until "$@" || fail "waited for: $*"; }
m=t_endless

staprun -L "$MODULES/$m.ko" 2> err || fail "-L: status $?"
grep -q "^staprun -A $m  attaches" err || fail "-L: says not how to attach"
loaded $m || fail "-L: not loaded"
! staprun -A nothing 2> err || fail "-A nothing"
grep -q 'no module nothing is loaded' err || fail "-A nothing: message"
sleep 0.3
# What was collected meanwhile comes first; SIGQUIT leaves it again.
staprun -A -o one $m 2> err & run=$!
wait_for grep -qs tick one
! staprun -A -o two $m 2> err2 || fail "two readers"
grep -q 'is read by process' err2 || { cat err2; fail "two readers: message"; }
kill -QUIT $run
wait $run || fail "SIGQUIT: status $?"
loaded $m || fail "SIGQUIT: removed"
[ "$(head -n 1 one)" = begun ] || fail "what was there before the reader: $(head -n 1 one)"
# A reader that is killed: it goes on.
staprun -A -o two $m 2> err & run=$!
wait_for grep -qs tick two
pkill -KILL -x stapio
! wait $run || fail "kill -9: status 0"
loaded $m || fail "kill -9: removed"
staprun -A -t -o three $m 2> err & run=$!
wait_for grep -qs tick three
kill -TERM $run
wait $run || fail "attached, SIGTERM: status $?"
[ "$(tail -n 1 three)" = ended ] || fail "attached, SIGTERM: $(tail -n 1 three)"
! loaded $m || fail "attached, SIGTERM: still loaded"

# The newest is kept: 1 MB of it. Without a reader, nothing is read.
staprun -F -s 1 "$MODULES/t_books.ko" 2> err || fail "-F: status $?"
"$TOP/build/guest/books" make 40000
staprun -A -t --timeout=1 -o four t_books 2> err || fail "-A: status $?"
"$TOP/build/guest/books" check < four > counts || fail "-F: content"
awk '{ sum += $3 } END { exit !(sum > 10000 && sum < 200000) }' counts || fail "-F: $(cat counts)"
awk '/^total/ { exit !($2 == 240000 && $3 + $4 == $2 && $4 > 0) }' err || fail "-F: books"
tail -c 12 four | od -An -td8 -j 4 | grep -qw 40000 || fail "-F: not the newest"

staprun -L "$MODULES/$m.ko" 2> err && staprun -d $m 2> err || fail "-d: status $?"
grep -q "^WARNING: $m: the output of [0-9]* hits was not read" err || fail "-d: says not what is lost"
! loaded $m || fail "-d: still loaded"
staprun -L "$MODULES/$m.ko" 2> err && staprun -d '*' 2> err || fail "-d *: status $?"
! loaded $m || fail "-d *: still loaded"

# In the background.
pid=$(staprun -F -o five "$MODULES/$m.ko" 2> err) || fail "-F -o: status $?"
wait_for grep -qs tick five
kill "$pid"
wait_for eval "! loaded $m"
[ "$(tail -n 1 five)" = ended ] || fail "-F -o: $(tail -n 1 five)"
! staprun -D -o six "$MODULES/t_nothing.ko" > out 2> err || fail "-D of nothing"

# Twice the same, each under a name of its own, and for a time.
staprun -R --timeout=2 -T 20 -o six "$MODULES/$m.ko" 2> err & one=$!
staprun -R --timeout=2 -o seven "$MODULES/$m.ko" 2> err2 & two=$!
wait $one || fail "-R: status $?"
wait $two || { cat err2; fail "-R: status $?"; }
[ "$(tail -qn 1 six seven)" = "$(printf 'ended\nended')" ] || fail "-R: $(tail -n 1 six seven)"
! grep -q "^$m" /proc/modules || fail "-R: still loaded"
! ls /proc | grep ^stap- || fail "left in /proc"
