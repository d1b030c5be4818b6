# skip: is_slow 'a container takes ten seconds to start where machines are emulated' || no_podman
# stap in podman containers, with the command line of stap-in-containers(7stap), and the messages that name a missing
# option.
. "$TOP/tests/guest/podman.inc"

# ---- the line of the page: all kinds of probes, from nothing ----
cat > all.stp <<'END2'
global reads, switches
probe kernel.function("vfs_read") { reads += $count > 0 }
probe kernel.trace("sched_switch") { switches += $next->pid >= 0 }
probe process("/bin/ls").begin { printf("in here %d %d\n", pid() == target(), ns_pid() == pid()) }
probe process("/bin/ls").library("libc.so.6").function("malloc").call { printf("malloc %d\n", ulong_arg(1) > 0); next }
probe end { printf("%d %d\n", reads > 0, switches > 0) }
END2
said 'all probes' 0 '^1 1$' privileged stap -e "$(cat all.stp)" -c 'ls /'
grep -qx 'in here 1 1' said && grep -qx 'malloc 1' said || fail 'all probes'

# ---- what is missing ----
point='probe kernel.function("vfs_read") { }'
options=()
said 'no capability' 4 'CAP_SYS_MODULE is missing; in a container: --privileged' run staprun /t_target.ko -c true
said 'no headers' 3 "mount the host's: -v /lib/modules:/lib/modules:ro -v /usr/src:/usr/src:ro" run stap -p2 -e "$point"
options+=(-v /lib/modules:/lib/modules:ro)
said 'no /usr/src' 3 "mount the host's: -v /usr/src:/usr/src:ro" run stap -p2 -e "$point"
options+=(-v /usr/src:/usr/src:ro)
said 'no linux-kbuild' 3 "mount the host's: -v (/usr/lib/linux-kbuild-[^:/]*):\1:ro" run stap -p4 -e "$point"
options+=(--privileged)
said 'no /sys' 3 "/sys/kernel/btf is not here, .*mount the host's: -v /sys:/sys:ro" \
	run sh -c 'umount -l /sys && exec stap -p2 -e "$0"' "$point"

echo '{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["init_module"], "action": "SCMP_ACT_ERRNO"}]}' > denies
options=(--cap-add=SYS_MODULE --security-opt "seccomp=$PWD/denies")
said 'a filter' 4 'system calls are filtered here .*--security-opt seccomp=unconfined' run staprun /t_target.ko -c true
said 'the line that only loads' 0 '^target [1-9]' eval "$(sed 's#"\$@"#staprun /module.ko -c true#' loads_only)"
options=(--cap-add=SYS_MODULE)
said 'a pid namespace' 1 'there is no such process; .* in a pid namespace.*--pid=host' run staprun /t_target.ko -x 99999
said 'a cgroup namespace' 4 'no control group web below .*' run staprun --cgroup web /t_cgroups.ko
has err 'is in a cgroup namespace, .*--cgroupns=host' || fail 'a cgroup namespace: no hint'
said 'a cgroup namespace, by name' 1 'is in a cgroup namespace, .*--cgroupns=host' run stap-container web

# Who sees the files from a chroot, as everybody here, makes no namespace of users.
said 'a user namespace' 4 'is in a user namespace, as in a rootless container' nsenter -t 1 --mount --root \
	sh -c "exec unshare -m sh -c \"cd /root && mount --move . / && exec chroot . /usr/bin/unshare --user \\
	--map-root-user $TOP/$B/bin/staprun $MODULES/t_target.ko\""
said 'processes only' 1 '/proc shows processes only' \
	unshare -m sh -c 'mount -t proc -o subset=pid proc /proc && exec staprun "$0"' "$MODULES/t_target.ko"
