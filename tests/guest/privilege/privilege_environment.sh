# Things that a set-uid program inherits: variables, descriptors, limits, signals, its own name. In all cases, nothing
# from the user runs with more rights, and no module is left.
# skip: no_program openssl
# guards: staprun stapio runtime tests/guest/privilege.inc lib trace
. "$TOP/tests/guest/privilege.inc"
mine ann
mkdir -p "$place" ann/bin ann/ld
chown 6001 ann/ld ann/bin
install -m 644 "$MODULES/t_for_everybody.ko" "$place"
run="staprun --timeout=1 t_for_everybody"

# Programs of the user's by the names that a privileged one might call.
for program in stapio modprobe insmod rmmod sh mount depmod kmod id; do
	printf '#!/bin/sh\necho %s >> %s/ann/ld/ran\nexit 1\n' $program "$work" > ann/bin/$program
	chmod 755 ann/bin/$program
done
printf '%s\n' 'openssl_conf = o' '[o]' 'providers = p' 'engines = e' '[p]' 'x = x' '[x]' "module = $work/ann/bin/x.so" \
	'activate = 1' '[e]' 'y = y' '[y]' "dynamic_path = $work/ann/bin/x.so" > ann/openssl.cnf
sign ann/t_for_everybody.ko
usr env PATH="$work/ann/bin:$PATH" IFS=/ TMPDIR="$work/ann/ld" HOME=/nonexistent \
	MODPROBE_OPTIONS="-C $work/ann/bin -d $work/ann" \
	LD_PRELOAD="$work/ann/bin/x.so" LD_LIBRARY_PATH="$work/ann/bin" LD_AUDIT="$work/ann/bin/x.so" LD_DEBUG=all \
	LD_DEBUG_OUTPUT="$work/ann/ld/debug" \
	GCONV_PATH="$work/ann/bin" LOCPATH="$work/ann/bin" MALLOC_CHECK_=3 GLIBC_TUNABLES=glibc.malloc.check=3 \
	NLSPATH="$work/ann/bin" TZ="$work/ann/bin" \
	OPENSSL_CONF="$work/ann/openssl.cnf" OPENSSL_MODULES="$work/ann/bin" OPENSSL_ENGINES="$work/ann/bin" \
	SYSTEMTAP_STAPIO="$work/ann/bin/stapio" \
	"$sbin/staprun" --timeout=1 ann/t_for_everybody.ko > out 2> err || fail "environment: status $?"
[ "$(tail -n 1 out)" = ended ] || fail "environment: output"
[ -z "$(ls ann/ld)" ] || fail "environment: $(ls ann/ld) $(cat ann/ld/ran 2> /dev/null)"
# stapio stands beside staprun, and where that is, only root may put things: a hard link may stand elsewhere.
echo 0 > /proc/sys/fs/protected_hardlinks
mkdir "$sbin/ann"
chown 6001 "$sbin/ann"
usr ln "$sbin/staprun" "$sbin/ann/staprun"
cp ann/bin/stapio "$sbin/ann"
refused 1 'writable by users other than root' usr "$sbin/ann/staprun" t_for_everybody
[ ! -e ann/ld/ran ] || fail "hard link: what lies beside it was run"

# Closed descriptors: what is opened next would be standard output, or get the messages.
status=0
for closed in '<&-' '>&-' '2>&-' '<&- >&-' '<&- >&- 2>&-'; do
	usr sh -c "exec $closed; exec $run" > out 2> err || status=$?
	! grep -q '^t_' /proc/modules || fail "closed $closed: left loaded"
done
[ -z "$(find /proc/[0-9]*/fd -lname '/proc/stap-*' 2> /dev/null)" ] || fail "descriptors of the module are still open"

# Limits: staprun's own are raised, the user's stand for what is run as the user.
for limit in nofile=0 nofile=4 fsize=0 cpu=1 data=0 nproc=0 nproc=1 sigpending=0 stack=65536 memlock=0 core=0 \
	as=100000000 locks=0 rttime=1; do
	status=0
	watched setpriv --reuid 6001 --regid 6001 --groups 5001 prlimit --$limit "$sbin/staprun" \
		--timeout=1 t_for_everybody > out 2> err || status=$?
	! grep -q '^t_' /proc/modules || fail "limit $limit: left loaded (status $status)"
	case $limit in
	nofile=4 | sigpending=* | memlock=* | core=* | locks=*)
		[ $status = 0 ] || fail "limit $limit: status $status"
		;;
	esac
done

# Signals that are ignored or blocked, and a clock that strikes.
usr env --ignore-signal=CHLD,PIPE,TERM --block-signal=CHLD,USR1 $run > out 2> err || fail "ignored signals: status $?"
! grep -q '^t_' /proc/modules || fail "ignored signals: left loaded"

# Without a name.
for program in staprun stapio; do
	status=0
	usr "$TOP/build/guest/unnamed" "$sbin/$program" t_for_everybody -x 1 > out 2> err || status=$?
	[ $status = 1 ] || [ $status = 2 ] || fail "$program without argv[0]: status $status"
	! grep -q '^t_' /proc/modules || fail "$program without argv[0]: loaded something"
done
