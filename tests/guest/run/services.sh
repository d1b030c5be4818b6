# skip: ! has_program /lib/systemd/systemd && echo "not here: systemd"
# The units under a separate systemd, as process 1 of a namespace of the guest: start, which returns when the probes are
# in place, reload, stop with the whole output, runs and readers that are killed or stopped, a wrong script, a wrong
# configuration, and the reports of `stap service` about all of them.
# before: stap --runtime=user -p4 -e 'probe begin { exit() }' # whose runtime is in the cache then
# guards: lib units stap/service staprun stapio runtime/user runtime/uapi trace
set -eu
. "$TOP/tests/wait.inc"
bin=$(dirname "$(command -v staprun)")
parameters=$(sysctl fs.protected_regular fs.protected_fifos)
dir=/root/services
mkdir -p $dir /etc/stap/scripts /etc/stap/modules "/lib/modules/$(uname -r)/systemtap"
cp "$MODULES/t_service.ko" "/lib/modules/$(uname -r)/systemtap/"
echo 'OPTIONS=-o service.out' > /etc/stap/modules/t_service.conf
echo 'probe begin { println("it ran") exit() }' > /etc/stap/scripts/short.stp
echo 'probe begin { nothing_like_it() }' > /etc/stap/scripts/wrong.stp
echo 'probe begin { printf("%s lives\n", @1) } probe end { println("it ends") }' > /etc/stap/scripts/lives.stp
for name in short wrong lives; do
	printf 'OPTIONS=--runtime=user\nOUTPUT=%s.out\nARGUMENTS="this one"\n' $name > /etc/stap/scripts/$name.conf
done
cp /etc/stap/scripts/short.stp /etc/stap/scripts/typo.stp
printf 'OPTIONS=--runtime=user\nOUTPT=x\n' > /etc/stap/scripts/typo.conf

cat > $dir/try <<END
exec > $dir/said 2>&1
. $TOP/tests/wait.inc
BIN=$bin
END
cat >> $dir/try <<'END'
state() {
	echo "$1: $(systemctl show --value -p ActiveState -p Result -p ExecMainStatus -p NRestarts "$1" |
		sort | tr '\n' ' ')"
}
out=/var/log/stap/service.out
begins() { grep -qs begins $out; }
fails() { systemctl -q is-failed "$1"; }
books_told() { systemctl show --value -p StatusText "$1" | grep -qE '^[1-9][0-9]* hits, 0 dropped, 0 skipped$'; }
ends() { ! systemctl -q is-active "$1"; }
echo "process 1 is $(cat /proc/1/comm)"
systemctl start staprun@t_service; echo "start: $?"
grep -q "^t_service " /proc/modules ||
	echo "it has not started"
wait_until begins || echo "never begins"
# The next file.
systemctl reload staprun@t_service; echo "reload: $?"
wait_until [ -e $out.1 ] || echo "never rotates"
grep -c begins $out.1
systemctl stop staprun@t_service; echo "stop: $?"
echo "$(wc -l < $out) lines, $(tail -n 1 $out), mode $(stat -c %a $out)"
state staprun@t_service
! grep -q '^t_service ' /proc/modules || echo "the module is still there"
rm $out
systemctl start staprun@t_service
wait_until begins || echo "never begins again"
rm $out
systemctl kill -s KILL staprun@t_service
wait_until begins || echo "never begins after it was killed"
state staprun@t_service
# Its reader alone: the books say what is lost, and it starts again.
restarts() { [ "$(systemctl show --value -p NRestarts staprun@t_service)" -ge "$1" ] && begins; }
rm $out
pkill -9 -x stapio
wait_until restarts 2 || echo "never begins after its reader was killed"
state staprun@t_service
# A reader that stands still.
wait_until books_told staprun@t_service || echo "no books"
rm $out
pkill -STOP -x stapio
wait_until restarts 3 || echo "never begins after its reader stood still"
state staprun@t_service
systemctl stop staprun@t_service
journalctl --sync
journalctl -o cat --no-pager -u staprun@t_service | grep 'stapio was killed'
systemctl start stap@short
wait_until ends stap@short || echo "never ends"
state stap@short
systemctl start stap@wrong
wait_until fails stap@wrong || echo "never fails"
state stap@wrong
systemctl start stap@absent; echo "absent: $?"
systemctl start stap@typo
wait_until fails stap@typo || echo "never fails"
# `stap service` sees the same.
PATH=$BIN:$PATH
stap service enable --now lives; echo "enable: $?"
cat /var/log/stap/lives.out
systemctl reload stap@lives; echo "reload: $?"
for name in lives short wrong typo absent; do stap service status $name 2>&1; echo "status $name: $?"; done
stap service status
stap service disable --now lives; echo "disable: $?"
cat /var/log/stap/lives.out
ls /etc/systemd/system/multi-user.target.wants | grep stap
cat /var/log/stap/short.out
journalctl --sync
journalctl -o cat --no-pager -u stap@short -u stap@wrong -u stap@typo
echo "cache: $(stat -c %a /var/cache/stap)"
END

cat > $dir/first <<END
mount --make-rprivate /
for place in /run /var/log /var/cache; do mount -t tmpfs tmpfs \$place; done
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mkdir -p /run/systemd/system /run/log/journal
# In the guest the compiler takes minutes for a program's runtime.
mkdir -m 700 /var/cache/stap /var/cache/stap/cache
cp -a "$SYSTEMTAP_DIR"/cache/{runtimes,facts} /var/cache/stap/cache
# They would empty /tmp and set the kernel's parameters, which are the whole guest's.
for unit in tmpfiles-setup tmpfiles-setup-dev tmpfiles-clean sysctl; do
	ln -s /dev/null /run/systemd/system/systemd-\$unit.service
done
for unit in $TOP/units/*.service; do sed 's#@bindir@#$bin#' "\$unit" > /run/systemd/system/"\${unit##*/}"; done
mkdir /run/systemd/system/staprun@.service.d
printf '[Service]\nWatchdogSec=3\nRestartSec=0\n' > /run/systemd/system/staprun@.service.d/soon.conf
sed -i 's/^StartLimitBurst=.*/StartLimitBurst=9/' /run/systemd/system/staprun@.service
cat > /run/systemd/system/try.service <<UNIT
[Unit]
DefaultDependencies=no
SuccessAction=exit
FailureAction=exit
[Service]
Type=oneshot
ExecStart=/bin/bash $dir/try
UNIT
printf '[Unit]\nDefaultDependencies=no\nWants=try.service systemd-journald.service\n' > /run/systemd/system/try.target
exec env -i container=test PATH=$PATH /lib/systemd/systemd --system --unit=try.target --show-status=no --log-target=null
END
unshare --fork --kill-child --pid --mount-proc --mount --uts --ipc --cgroup sh $dir/first > $dir/log 2>&1 < /dev/null ||
	{ echo "systemd: status $?"; cat $dir/log; }
cat $dir/said
# has REGEX
has_said() { grep -qE "$1" $dir/said || { echo "nothing says: $1"; exit 1; }; }
has_said '^process 1 is systemd$'
has_said '^start: 0$'
has_said '^reload: 0$'
has_said '^stop: 0$'
has_said '^4001 lines, the last line 1, mode 600$'
has_said '^staprun@t_service: 0 0 inactive success $'
has_said '^staprun@t_service: 0 1 active success $'
has_said '^staprun@t_service: 0 2 active success $'
has_said '^ERROR: stapio was killed by signal 9 \(Killed\); [0-9]+ records may be lost'
has_said '^staprun@t_service: 0 3 active success $'
has_said '^stap@short: 0 0 inactive success $'
has_said '^it ran$'
has_said '^stap@wrong: 0 1 exit-code failed $'
has_said "error: there is no function 'nothing_like_it'"
has_said '^absent: [1-9]'
has_said 'scripts/typo.conf:2: there is no .OUTPT. here; did you mean .OUTPUT.'
has_said '^enable: 0$'
has_said '^this one lives$'
has_said '^lives: active \(running\) since .*; enabled$'
has_said '^  command   stap --runtime=user -o lives.out -- /etc/stap/scripts/lives.stp .this one.$'
has_said '^status lives: 0$'
has_said '^short: inactive \(dead\).*; disabled$'
has_said '^status short: 3$'
has_said '^wrong: failed \(exit-code, status 1\)'
has_said '^typo: failed \(exit-code, status 2\)'
has_said '^  wrong     /etc/stap/scripts/typo.conf:2: '
has_said "^stap: there is no service 'absent'"
has_said '^status absent: 4$'
has_said '^lives +active \(running\)'
has_said '^disable: 0$'
has_said '^it ends$'
has_said '^cache: 700$'
[ "$(sysctl fs.protected_regular fs.protected_fifos)" = "$parameters" ] ||
	{ echo "systemd has set parameters of the guest"; exit 1; }
! grep -E '^never|still there|not started|^no books|^stap@' $dir/said | grep -v '^stap@[a-z]*: [0-9]' ||
	exit 1
