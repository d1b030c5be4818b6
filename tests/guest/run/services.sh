# skip: [ ! -x /lib/systemd/systemd ] && echo "not here: systemd"
# The units under a systemd of their own, as process 1 of a name space of the guest: start, stop with the whole output,
# a run that is killed, a script that is wrong.
set -eu
. "$TOP/tests/wait.inc"
bin=$(dirname "$(command -v staprun)")
dir=/root/services
mkdir -p $dir /etc/stap/scripts /etc/stap/modules "/lib/modules/$(uname -r)/systemtap"
cp "$MODULES/t_service.ko" "/lib/modules/$(uname -r)/systemtap/"
echo 'OPTIONS=-o service.out' > /etc/stap/modules/t_service.conf
echo 'probe begin { println("it ran") exit() }' > /etc/stap/scripts/short.stp
echo 'probe begin { nothing_like_it() }' > /etc/stap/scripts/wrong.stp
for name in short wrong; do echo "OPTIONS=--runtime=user -o $name.out" > /etc/stap/scripts/$name.conf; done

cat > $dir/try <<END
exec > $dir/said 2>&1
. $TOP/tests/wait.inc
END
cat >> $dir/try <<'END'
state() {
	echo "$1: $(systemctl show --value -p ActiveState -p Result -p ExecMainStatus -p NRestarts "$1" |
		sort | tr '\n' ' ')"
}
out=/var/log/stap/service.out
begins() { grep -qs begins $out; }
fails() { systemctl -q is-failed "$1"; }
ends() { ! systemctl -q is-active "$1"; }
echo "process 1 is $(cat /proc/1/comm)"
systemctl start staprun@t_service; echo "start: $?"
wait_until begins || echo "never begins"
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
systemctl stop staprun@t_service
systemctl start stap@short
wait_until ends stap@short || echo "never ends"
state stap@short
systemctl start stap@wrong
wait_until fails stap@wrong || echo "never fails"
state stap@wrong
systemctl start stap@absent; echo "absent: $?"
cat /var/log/stap/short.out
journalctl --sync
journalctl -o cat --no-pager -u stap@short -u stap@wrong
echo "cache: $(stat -c %a /var/cache/stap)"
END

cat > $dir/first <<END
mount --make-rprivate /
for place in /run /var/log /var/cache; do mount -t tmpfs tmpfs \$place; done
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mkdir -p /run/systemd/system /run/log/journal
# They would empty /tmp, which is the whole guest's.
for unit in setup setup-dev clean; do ln -s /dev/null /run/systemd/system/systemd-tmpfiles-\$unit.service; done
for unit in $TOP/units/*.service; do sed 's#@bindir@#$bin#' "\$unit" > /run/systemd/system/"\${unit##*/}"; done
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
has_said '^stop: 0$'
has_said '^4002 lines, the last line 1, mode 600$'
has_said '^staprun@t_service: 0 0 inactive success $'
has_said '^staprun@t_service: 0 1 active success $'
has_said '^stap@short: 0 0 inactive success $'
has_said '^it ran$'
has_said '^stap@wrong: 0 1 exit-code failed $'
has_said "error: there is no function 'nothing_like_it'"
has_said '^absent: [1-9]'
has_said '^cache: 700$'
! grep -E '^never|still there' $dir/said
