# --cgroup and --container of users who are not root: groups are opened with their rights, and names of containers are
# looked up by a program that has none of staprun's.
# guards: staprun stapio runtime tests/guest/privilege.inc lib trace
. "$TOP/tests/guest/privilege.inc"
root=/sys/fs/cgroup
mountpoint -q $root && [ "$(stat -fc %T $root)" = cgroup2fs ] || mount -t cgroup2 none $root
id=$(printf '%064d' 0 | tr 0 d)
mkdir -p $root/open $root/shut/below "$root/docker/$id" "/var/lib/docker/containers/$id"
chmod 700 $root/shut /var/lib/docker
echo '{"Name": "/box"}' > "/var/lib/docker/containers/$id/config.v2.json"
mine here
cp "$MODULES/t_cgroups.ko" here && chown 6001 here/t_cgroups.ko
cd here

install -m 755 "$TOP/$B/bin/stap-container" "$sbin"
run() { dev staprun -t "$@" -c true t_cgroups.ko > ../out 2> ../err; }
for option in --cgroup=open --cgroup=/docker --container=dddd; do
	run $option || { cd ..; fail "$option: status $?"; }
done
cd ..
refused 4 'no control group shut/below below /sys/fs/cgroup: Permission denied' \
	dev staprun --cgroup shut/below here/t_cgroups.ko
refused 4 'no control group /proc/1/root/sys/fs/cgroup/open' \
	dev staprun --cgroup /proc/1/root/sys/fs/cgroup/open here/t_cgroups.ko
refused 4 "no running container 'box'" dev staprun --container box here/t_cgroups.ko
staprun --container box -c true "$MODULES/t_cgroups.ko" > out 2> err || fail "root: status $?"

# The program has the user's rights and environment, whatever it prints.
looked_up() { printf '#!/bin/sh\n%s\n' "$1" > "$sbin/stap-container"; }
looked_up 'id -u; id -g; sed -n "s/^Cap[EPI].*:\t//p" /proc/self/status >> /tmp/seen; echo "$2 $FOO" >> /tmp/seen'
install -m 666 /dev/null /tmp/seen
refused 4 'stap-container said nothing about x y' env FOO=bar setpriv --reuid 6001 --regid 6001 --groups 5001,5003 \
	--inh-caps=-all staprun --container 'x y' here/t_cgroups.ko
none=0000000000000000
printf "$none\n$none\n$none\nx y bar\n" | cmp - /tmp/seen || { cat /tmp/seen; fail 'rights'; }
for text in true 'echo' 'printf /open' 'printf "/open\n/x\n"' 'echo ../../../../tmp' 'yes | head -c 100000' \
	'echo why >&2; exit 1' 'exit 3' \
	'echo /open; kill -9 $$' 'echo /open; exit 2'; do
	looked_up "$text"
	refused 4 '(said nothing about x|no control group|why)' dev staprun --container x here/t_cgroups.ko
done
looked_up 'echo /open'
dev staprun --container x -c true here/t_cgroups.ko > out 2> err || fail "another program: status $?"
chmod 777 "$sbin"
refused 4 'writable by users other than root, so nothing in it is run' dev staprun --container x here/t_cgroups.ko
chmod 755 "$sbin"
rm "$sbin/stap-container"
refused 4 'stap-container is neither in' dev staprun --container x here/t_cgroups.ko
