# Programs in other mount namespaces, started before the script and later: in some the probed file has another name,
# also below another root directory; in others its name means another file, which is not probed.
# skip: no_program pivot_root
set -eu
. "$TOP/tests/wait.inc"
cd "$MODULES"
export OWN ROOT
OWN=$(mktemp -d) ROOT=$(mktemp -d)
runs() { case $(readlink "/proc/$1/exe") in */ticks) takes_usr1 "$1" ;; *) false ;; esac; }
another_name() { exec unshare -m sh -c 'mount --bind . $OWN && exec $OWN/ticks $OWN/plugin'; }
another_root() {
	exec unshare -m sh -c '
		files=$PWD
		mount -t tmpfs root $ROOT && cd $ROOT && mkdir old own usr && mount --rbind /usr usr || exit
		for place in /bin /lib /lib64; do
			[ -e $place ] || continue
			[ ! -L $place ] || cp -P $place . || exit
			[ -L $place ] || { mkdir .$place && mount --rbind $place .$place; } || exit
		done
		mount --bind "$files" own && pivot_root . old && cd / && exec own/ticks /own/plugin'
}
# As applications are packed: a namespace of processes as well. Its number here stands in INFO.
sandbox() {
	exec bwrap --ro-bind / / --dev /dev --tmpfs /tmp --bind "$PWD" /mnt --proc /proc --unshare-pid \
		--as-pid-1 --info-fd 9 /mnt/ticks /mnt/plugin 9> "$1"
}
another_file() { exec unshare -m sh -c 'cp ticks $OWN && mount --bind $OWN/ticks ticks && exec ./ticks'; }

another_name & named=$!
another_root & rooted=$!
another_file & other=$!
boxed=
if type -P bwrap > /dev/null; then
	sandbox /tmp/info &
	wait_until has /tmp/info child-pid || exit 1
	boxed=$(sed -n 's/.*"child-pid": *\([0-9]*\).*/\1/p' /tmp/info)
fi
for program in $named $rooted $other $boxed; do wait_until runs $program || exit 1; done
# What is before the name is the way to where everybody here has a root directory.
case $(readlink "/proc/$other/exe") in *"$PWD/ticks") ;; *) readlink "/proc/$other/exe"; exit 1 ;; esac
[ ! -e $ROOT/own ] || { echo "not a mount of its own"; exit 1; }
staprun -v -o /tmp/out "$MODULES/t_other_mounts.ko" 2> /tmp/err & run=$!
wait_until in_place /tmp/err || cat /tmp/err
another_root & later=$!
wait_until runs $later || exit 1
kill -USR1 $named $rooted $later $boxed

says() { # PID REGEX
	said() { has /tmp/out "^$1 $2$" || [ ! -e "/proc/$run" ]; }
	wait_until said "$1" "$2" && has /tmp/out "^$1 $2$" || { echo "no '$2'"; cat /tmp/out /tmp/err; exit 1; }
}
begun='main libc __libc_start_main _start'
for program in $named $rooted $later $boxed; do
	says $program begins
	says $program "tick tick $begun"
	says $program 'returns 1'
	says $program "usleep usleep $begun"
	says $program "plug plug $begun"
	kill -KILL $program # the first process of its namespace takes no other signal
	says $program ends
done
kill $other
kill -TERM $run
wait $run || { echo "status $?"; cat /tmp/err; exit 1; }
! grep "^$other " /tmp/out || { echo 'another file of that name is probed'; exit 1; }
