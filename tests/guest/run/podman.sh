# skip: no_podman
# stap in containers of podman, with the lines of stap-in-containers(7stap) and what the DaemonSet asks for; what says
# which option is missing; containers by their names, from outside and from within; ends.
set -u
. "$TOP/tests/wait.inc"
unset STAP_KERNELS SYSTEMTAP_DIR
R=$(uname -r)
cd "$(mktemp -d)" || exit
fail() { echo "$1"; head -n 40 said err 2> /dev/null; exit 1; }
wait_for() { wait_until "$@" || fail "waited for: $*"; }

# ---- a host with a kernel's packages, and podman ----
for link in build source; do
	headers=$(realpath "/lib/modules/$R/$link")
	ln -sfn "/usr/src/${headers##*/}" "/lib/modules/$R/$link"
done
mountpoint -q /sys/fs/cgroup || mount -t cgroup2 none /sys/fs/cgroup
unpacked=$TOP/build/unpacked
{
	printf '[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\nruntime = "crun"\n'
	if ! command -v podman > /dev/null; then
		PATH+=:$unpacked/usr/bin
		export LD_LIBRARY_PATH=$unpacked/usr/lib/x86_64-linux-gnu
		# Whoever starts it passes no environment on.
		printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s/usr/bin/crun "$@"\n' $LD_LIBRARY_PATH "$unpacked" > crun
		chmod 755 crun
		printf 'conmon_path = ["%s/usr/bin/conmon"]\n[engine.runtimes]\ncrun = ["%s/crun"]\n' "$unpacked" "$PWD"
		seccomp=$unpacked/usr/share/containers/seccomp.json
	fi
	printf '[containers]\nnetns = "none"\nlog_driver = "k8s-file"\n'
	[ -z "${seccomp-}" ] || printf 'seccomp_profile = "%s"\n' "$seccomp"
} > containers.conf
export CONTAINERS_CONF=$PWD/containers.conf
mkdir -p /etc/containers
policy=/etc/containers/policy.json
[ -e $policy ] || echo '{"default": [{"type": "insecureAcceptAnything"}]}' > $policy
mkdir -p /var/lib/containers && mount -t tmpfs none /var/lib/containers || fail "no place for containers"

# ---- an image: this machine's programs without a kernel's headers, and stap as installed ----
mkdir -p tree/{etc,proc,sys,dev,tmp,run,var/tmp,root,usr} tree/opt/stap/{bin,libexec/stap,share/stap} above/{usr,work}
for link in bin sbin lib lib64; do [ ! -L /$link ] || ln -s usr/$link tree/; done
cp -a /etc/{passwd,group,alternatives,ld.so.cache,os-release} tree/etc/
cp "$TOP"/build/bin/{stap,staprun,stap-container} tree/opt/stap/bin/
cp "$TOP/build/bin/stapio" tree/opt/stap/libexec/stap/
cp -r "$TOP"/{tapset,runtime,examples} tree/opt/stap/share/stap/
cp "$MODULES"/t_{cgroups,endless,target}.ko tree/
tar -C tree -c . | podman import -q -c "ENV PATH=/opt/stap/bin:/usr/sbin:/usr/bin:/sbin:/bin" - stap > said 2> err ||
	fail "podman import: status $?"
mount -t tmpfs none above && mkdir above/{usr,work,all} &&
	mount -t overlay overlay -o "lowerdir=/usr,upperdir=$PWD/above/usr,workdir=$PWD/above/work" above/all ||
	fail "an overlay over /usr"
rm -rf above/all/{src,lib/modules}/* above/all/lib/linux-kbuild-*
image="-v $PWD/above/all:/usr stap"

# The lines of the page that begin so, up to the one that does not end in '\', as a shell reads them.
page_line() {
	sed "s/\\\\e\$/\\\\/; s/\\\\-/-/g; s/\\\\(aq/'/g" "$TOP/man/stap-in-containers.7stap" |
		sed -n "/^docker run .*$1/{:line;p;/\\\\\$/!q;n;b line}" |
		sed "s#^docker#podman#; s# -it # #; s#IMAGE .*#$image \"\$@\"#"
}
page_line --privileged > privileged
page_line --cap-add | sed "s#\$PWD/NAME.ko:/NAME.ko#$MODULES/t_target.ko:/module.ko#" > loads_only
grep -q '^podman run .*--privileged' privileged && grep -q 'podman run .*--cap-add=SYS_MODULE.*"\$@"$' loads_only ||
	fail "no lines in the manual page"
privileged() { eval "$(cat privileged)"; }
run() { podman run --rm "${options[@]}" $image "$@"; }

# said WHAT STATUS REGEX COMMAND…: it ends with this status, and says that
said() {
	local what=$1 want=$2 text=$3 status
	shift 3
	"$@" > said 2> err
	status=$?
	[ $status = "$want" ] || fail "$what: status $status, not $want"
	[ -z "$text" ] || cat said err | grep -qE -- "$text" || fail "$what: does not say: $text"
	! grep '^t_\|^stap_' /proc/modules || fail "$what: a module is left"
}

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
	--map-root-user $TOP/build/bin/staprun $MODULES/t_target.ko\""
said 'processes only' 1 '/proc shows processes only' \
	unshare -m sh -c 'mount -t proc -o subset=pid proc /proc && exec staprun "$0"' "$MODULES/t_target.ko"

# ---- containers by their names ----
podman run -d --name web -v "$MODULES/load:/load:ro" $image \
	sh -c 'while :; do /load 10 < /etc/passwd; sleep 0.2; done' > id 2> err || fail 'podman run -d'
id=$(cat id)
# only_web FILE: what was seen happened in its group
only_web() {
	grep -q "^[a-z]* /.*libpod-$id" "$1" && ! grep '^[a-z]* /' "$1" | grep -v "libpod-$id" ||
		{ cat "$1"; fail "not in web alone"; }
}
said 'the list' 0 "^${id:0:12} +podman +web " stap-container -l
for name in web "${id:0:8}"; do
	said "--container=$name" 0 '' staprun "--container=$name" -c 'sleep 2' "$MODULES/t_cgroups.ko"
	only_web said
done
whole=$image
image="-v /var/lib/containers:/var/lib/containers:ro $image"
script='global n probe syscall.read { n[cgroup_path()]++ }
	probe end { foreach (path in n) printf("reads %s %d\n", path, n[path]) }'
said 'from a container' 0 '' privileged stap --container=web -e "$script" -c 'sleep 2'
only_web said
image=$whole

# ---- the DaemonSet ----
mkdir -p scripts /var/cache/stap
cp -a /var/lib/containers/storage/volumes/stap/_data/. /var/cache/stap/
python3 - "$TOP/examples/kubernetes/stap.yaml" "$PWD/scripts" > daemon 2> err <<'END2' || fail 'the manifest'
import os, sys, yaml
parts = {part["kind"]: part for part in yaml.safe_load_all(open(sys.argv[1]))}
spec = parts["DaemonSet"]["spec"]
pod = spec["template"]["spec"]
(box,) = pod["containers"]
space = parts["Namespace"]["metadata"]["name"]
assert spec["selector"]["matchLabels"] == spec["template"]["metadata"]["labels"]
assert all(parts[kind]["metadata"]["namespace"] == space for kind in ("ConfigMap", "DaemonSet"))
for name, text in parts["ConfigMap"]["data"].items():
    open(os.path.join(sys.argv[2], name), "w").write(text)
volumes = {v["name"]: v for v in pod["volumes"]}
words = ["--pid=host"] * pod["hostPID"] + ["--privileged"] * box["securityContext"]["privileged"]
for mount in box["volumeMounts"]:
    volume = volumes.pop(mount["name"])
    if "configMap" in volume:
        assert volume["configMap"]["name"] == parts["ConfigMap"]["metadata"]["name"]
    place = sys.argv[2] if "configMap" in volume else volume["hostPath"]["path"]
    words += ["-v", place + ":" + mount["mountPath"] + ":ro" * mount.get("readOnly", False)]
assert not volumes
print("\0".join(words + ["IMAGE"] + box["command"] + box["args"]), end="")
END2
mapfile -d '' -t words < daemon
for i in "${!words[@]}"; do [ "${words[i]}" != IMAGE ] || at=$i; done
podman run -d --name daemon "${words[@]:0:at}" $image "${words[@]:at + 1}" > said 2> err ||
	fail 'podman run -d, for the DaemonSet'
loaded() { grep -q '^stap_' /proc/modules; }
seen() { podman logs daemon > said 2> err; has said "^${id:0:12} load +[0-9]+$"; }
ended() { ! podman ps -q --no-trunc --filter name=daemon | grep -q .; }
seen_or_ended() { seen || ended; }
wait_for seen_or_ended
seen || fail 'the DaemonSet: nothing seen'
rm -rf /var/cache/stap

# ---- ends ----
podman stop -t 60 daemon > said 2> err || fail 'podman stop'
! loaded || fail 'podman stop: the module is left'
podman run -d --name killed --privileged $image staprun -v /t_target.ko > said 2> err || fail 'podman run -d'
begun() { podman logs killed > said 2> err; cat said err | grep -q 'probes are in place'; }
wait_for begun
podman kill -s KILL killed > said 2> err || fail 'podman kill'
said 'the next run' 0 '' staprun "$MODULES/t_target.ko" -c true
podman rm -f -t 0 web daemon killed > said 2> err || fail 'podman rm'
