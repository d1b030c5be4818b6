# Processes whose files have no name here, or another one: in other mount namespaces, after chroot, deleted, replaced by
# another build, a library that is loaded later. One script for all.
# skip: no_translator
# skip: is_slow 'it translates in the guest, for minutes where nothing is cached'
set -eu
. "$TOP/tests/wait.inc"
cd build/guest
stap=$TOP/$B/bin/stap
wait_for() { # LINE PID: what the script prints, as long as it runs
	says() { has /tmp/out "^$1$" || [ ! -e "/proc/$2" ]; }
	wait_until says "$1" "$2" && has /tmp/out "^$1$" || { echo "no '$1' in:"; cat /tmp/out /tmp/err; exit 1; }
}
is_running() { case $(readlink "/proc/$1/exe") in */$2*) ;; *) false ;; esac; }
runs() { wait_until is_running "$1" "$2" || exit 1; }
copy_with_libraries() { # PROGRAM ROOT
	for library in $(ldd "$1" | grep -o '/[^ ]*'); do
		mkdir -p "$2/$(dirname "$library")" && cp -L "$library" "$2/$library"
	done
	mkdir -p "$2/bin" && cp "$1" "$2/bin/ticks-1" && ln -s /bin/ticks-1 "$2/bin/ticks"
}

# A container: its file system is in nobody else's tree. The link in it means a file of its own.
mkdir /tmp/box
export -f copy_with_libraries
unshare -m bash -c 'mount -t tmpfs box /tmp/box && copy_with_libraries ./ticks /tmp/box && cp plugin /tmp/box && exec chroot /tmp/box /bin/ticks /plugin' & boxed=$!
runs $boxed ticks-1
[ ! -e /tmp/box/bin ]

# A mount of its own, over a directory that is another one here.
mkdir /tmp/own
unshare -m sh \
	-c 'mount -t tmpfs own /tmp/own && cp ticks plugin /tmp/own && exec /tmp/own/ticks /tmp/own/plugin' & own=$!
runs $own ticks

cp ticks /tmp/deleted
/tmp/deleted & deleted=$!
runs $deleted deleted
rm /tmp/deleted

cp ticks /tmp/replaced
/tmp/replaced & replaced=$!
runs $replaced replaced
rm /tmp/replaced && cp calls /tmp/replaced

./ticks "$PWD/plugin" & plain=$!
runs $plain ticks
for program in $boxed $own $plain; do wait_until takes_usr1 $program || exit 1; done

at() { # PID FILE FUNCTION: where it is in the process
	start=$(sed -n '/ 00000000 .*\/ticks/{s/-.*//p;q}' "/proc/$1/maps")
	printf '%#x\n' $((0x$start + 0x$(nm "$2" | sed -n "s/ [Tt] $3\$//p")))
}

cat > /tmp/elsewhere.stp <<END
probe process($own).statement($(at $own ticks tick)).absolute {
	printf("absolute %d %d\n", pid() == $own, long_arg(1) > 0)
}
probe process($boxed).function("tick").return { printf("boxed %d %d\n", pid() == $boxed, \$return - @entry(\$n)) }
probe process("/proc/$boxed/root/bin/ticks").function("tick").call { printf("named %d\n", pid() == $boxed) }
probe process("/proc/$boxed/root/bin/ticks").library("/plugin").function("plug") {
	printf("boxed plug %d %d\n", pid() == $boxed, \$n > 0)
}
probe process("/proc/$boxed/root/bin/ti*").library("libc.so.6").function("usleep").call {
	printf("boxed usleep %d\n", pid() == $boxed)
}
probe process($own).function("tick") { printf("own %d\n", pid() == $own) }
probe process($own).library("/tmp/own/plugin").function("plug") { printf("own plug %d\n", pid() == $own) }
probe process($deleted).function("tick") { printf("deleted %d %d\n", pid() == $deleted, \$n > 0) }
probe process($replaced).function("tick").return {
	printf("replaced %d %d\n", pid() == $replaced, \$return - @entry(\$n))
}
probe process("./ticks").library("./plugin").function("plug").return {
	printf("plug %d %d\n", pid() == $plain, \$return == 2 * @entry(\$n))
}
probe process("/tmp/replaced").function("shift") { println("another build") }
probe process.begin { if (pid() == $plain) println("begun") }
END
$stap -o /tmp/out /tmp/elsewhere.stp 2> /tmp/err & run=$!
wait_for begun $run
kill -USR1 $boxed $own $plain
lines=('absolute 1 1' 'boxed 1 1' 'named 1' 'boxed plug 1 1' 'boxed usleep 1' 'own 1' 'own plug 1' 'deleted 1 1'
	'replaced 1 1' 'plug 1 1')
for line in "${lines[@]}"; do wait_for "$line" $run; done
kill -TERM $run
wait $run || { echo "status $?"; cat /tmp/err; exit 1; }
! grep -v -xF -f <(printf '%s\n' begun "${lines[@]}") /tmp/out || exit 1

# -x means the one process, and what it starts.
cat > /tmp/target.stp <<'END'
probe process.function("tick").call, process.library("libc.so.6").function("usleep").call {
	printf("%s %d\n", ppfunc(), pid() == target())
}
END
rm /tmp/out
$stap -x $boxed -o /tmp/out /tmp/target.stp 2> /tmp/err & run=$!
wait_for 'tick 1' $run
wait_for '.*usleep 1' $run
kill $boxed
wait $run || { echo "status $?"; cat /tmp/err; exit 1; }
! grep ' 0$' /tmp/out || exit 1
kill $own $deleted $replaced $plain
