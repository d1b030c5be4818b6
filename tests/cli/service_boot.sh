# SPDX-License-Identifier: GPL-2.0-or-later
# Services from boot to boot, with systemd as the first process of a guest: enabled ones start by themselves, an early
# one before sysinit.target; a reader that is killed is replaced; a reload begins the next file; the example app-trace
# has its programs, its limit and a file of the host's name. After booting another kernel, which the cache does not
# know, everything runs again, without any action.
# skip: is_slow "two boots with systemd and translations in the guest, ten minutes" || no_kernel
# skip: [ ! -x /lib/systemd/systemd ] && echo "not here: systemd"
# skip: [ -n "${TEST_ROOT-}" ] && echo "not here: guests of this machine's own files are meant"
. "$TOP/tests/cli/expect.inc"
bin=$(dirname "$STAP")
over=$PWD/over kept=$PWD/kept
mkdir -p "$over"/etc/{stap/scripts,systemd/system} "$kept"/{cache,log}
chmod 700 "$kept/cache"

# ---- the machine: its own files, and what an administrator has put there ----

scripts=$over/etc/stap/scripts units=$over/etc/systemd/system
cat > "$scripts/boots.stp" <<'END'
probe begin { printf("begins under %s\n", @1) }
probe timer.ms(100) { println("tick") }
probe end { println("ends") }
END
printf 'OPTIONS=-t\nARGUMENTS="some kernel"\nOUTPUT=boots.out\nROTATE=100M,5\n' > "$scripts/boots.conf"
echo 'probe begin { println("early") } probe timer.s(1) { }' > "$scripts/early.stp"
echo 'OUTPUT=early.out' > "$scripts/early.conf"
app=$TOP/examples/app-trace
install -m 644 "$app/trace-io.stp" "$scripts/app-trace.stp"
install -m 644 "$app/service/app-trace.conf" "$scripts/"
install -D -m 644 "$app/service/unit.conf" "$units/stap@app-trace.service.d/app-trace.conf"
echo cat > "$over/etc/stap/traced-apps"
for unit in stap@ staprun@; do sed "s#@bindir@#$bin#" "$TOP/units/$unit.service" > "$units/$unit.service"; done
# Kernels lie elsewhere here.
mkdir -p "$units/stap@.service.d" "$units/local-fs.target.wants"
echo "[Service]
Environment=STAP_KERNELS=$STAP_KERNELS:$TOP/build/kernels-rt" > "$units/stap@.service.d/kernels.conf"
# It lives as long as the test: caches and logs are those of the boot before.
for place in cache log; do
	printf '[Mount]\nWhat=%s\nWhere=/var/%s/stap\nType=none\nOptions=bind\n' "$kept/$place" $place \
		> "$units/var-$place-stap.mount"
	ln -s ../var-$place-stap.mount "$units/local-fs.target.wants/"
done
for service in boots app-trace; do check 0 -- $STAP service enable --root="$over" $service; done
check 0 -- $STAP service enable --root="$over" --early early

cat > inside <<'END'
cd /var/log/stap || exit
. "$TOP/tests/wait.inc"
show() { systemctl show --value -p "$1" "$2"; }
begun() { grep -qs begins boots.out; }
echo "process 1 is $(cat /proc/1/comm) on $(uname -r)"
stap service status boots; echo "status: $?"
begun || echo 'never begins'
early=$(show ActiveEnterTimestampMonotonic stap@early) others=$(show ActiveEnterTimestampMonotonic sysinit.target)
[ "$early" -gt 0 ] && [ "$early" -le "$others" ] && echo 'early: before the others'
tail -n 1 early.out
echo "apps: $(cat /proc/sys/debug/traced-apps)"
for pid in $(pgrep -x stapio); do
	tr '\0' ' ' < /proc/$pid/cmdline | grep -q app-trace && sed -n 's/^Max file size  */limit: /p' /proc/$pid/limits
done
cat /etc/hostname > /dev/null
traced() { grep -qs 'execname: cat pid: [0-9]* fd: [0-9]*$' "$(uname -n)-app-trace.out"; }
wait_until traced && echo 'app-trace: traces'
ends_in_order() { systemctl stop stap@boots; tail -n 1 boots.out; }
case $1 in
first)
	mv boots.out boots.first
	kill -9 $(for pid in $(pgrep -x stapio); do
		tr '\0' ' ' < /proc/$pid/cmdline | grep -q boots.out && echo $pid; done)
	restarted() { begun && [ "$(show ActiveState stap@boots)" = active ]; }
	wait_until restarted && echo "restarts: $(show NRestarts stap@boots)"
	systemctl reload stap@boots
	wait_until [ -e boots.out.1 ] && echo 'rotated'
	ends_in_order
	journalctl --sync
	journalctl -o cat --no-pager -b -u stap@boots
	systemctl disable -q stap@early
	;;
second) ends_in_order ;;
esac
systemctl list-units --failed --no-legend 'stap*'
END

masks=''
for unit in postgresql.service mariadb.service avahi-daemon.{service,socket} systemd-timesyncd.service getty.target \
	timers.target systemd-logind.service e2scrub_reap.service systemd-udev-trigger.service dbus.{service,socket}; do
	masks+=" systemd.mask=$unit"
done
# boot RELEASE KERNELS WHICH REGEX…: boots it, and has inside look
boot() {
	local release=$1 kernels=$2 which=$3
	shift 3
	STAP_VM_APPEND=$masks PATH=$bin:$PATH check 0 '/^process 1 is systemd on '"$release\$" "$@" \
		'!^never|in vain|loaded failed' \
		-- "$bin/stap-vm" --systemd --over "$over" --share "$kept" --release "$release" --kernels "$kernels" \
		--dmesg "dmesg.$which" -- bash "$PWD/inside" "$which"
	! grep -E 'BUG:|WARNING:|Oops|Call Trace' "dmesg.$which" || say_wrong "$release: the kernel complains"
	[ -z "${VERBOSE-}" ] || cat out err
}
boot "$KERNEL" "${STAP_KERNELS%%:*}" first '/^boots: active \(running\) since .*; enabled$' '/^status: 0$' \
	'/^early: before the others$' '/^early$' '/^apps: cat$' '/^limit: 1073741824 ' '/^app-trace: traces$' \
	'/^restarts: 1$' '/^rotated$' '/^ends$' '/stapio was killed by signal 9 .*records may be lost' \
	'/^begin +1 +1 +0 +0 +[1-9][0-9]*$'
modules=$(find "$kept/cache" -name '*.ko' | wc -l)
[ "$modules" -ge 3 ] || say_wrong "$modules modules were made"
other=$(cd "$TOP/build/kernels-rt/boot" 2> /dev/null && ls vmlinuz-* | sed -n 's/^vmlinuz-//p' | tail -n 1)
if [ -n "$other" ]; then
	boot "$other" "$TOP/build/kernels-rt" second '/^boots: active \(running\) since .*; enabled$' '/^status: 0$' \
		'/^apps: cat$' '/^app-trace: traces$' '/^ends$'
	[ "$(find "$kept/cache" -name '*.ko' | wc -l)" -gt "$modules" ] || say_wrong 'nothing was translated for it'
else
	echo "tools/fetch-kernel gets a second kernel"
fi
finish
