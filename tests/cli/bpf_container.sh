# SPDX-License-Identifier: GPL-2.0-or-later
# A program of --runtime=bpf as in a container that has CAP_BPF and CAP_PERFMON, and of stap only the program: in an
# empty tree, with those capabilities alone. stap-in-containers(7) has the lines for engines and Kubernetes.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: no_program setpriv
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"
needs_bpf 'probe kernel.trace("sys_enter") { exit() }'

cat > x.stp << 'END'
global n
probe kernel.trace("sched_switch") { n["switch"]++ }
probe syscall.nanosleep, syscall.clock_nanosleep { n["sleep"]++ }
probe timer.profile { n["tick"]++ }
probe begin { println("begun"); println("number ", ns_pid()) }
probe timer.ms(300) { if (n["switch"] && n["tick"]) exit() }
probe end { println("switches ", n["switch"] > 0, " ticks ", n["tick"] > 0) }
END
"$STAP" --runtime=bpf -w -p4 -m NAME x.stp > out 2> err || say_wrong "-p4"

# ---- an image without a shell, headers or a compiler ----
mkdir -p tree/{proc,sys,dev,tmp,etc,opt}
cp "${STAP%/*}/staprun" tree/opt/
for file in NAME.bpf tree/opt/staprun; do
	ldd $file | grep -o '/[^ ]*' | while read -r library; do
		mkdir -p "tree${library%/*}"
		cp -L "$library" "tree$library"
	done
done

# ---- here: the same tree, the same capabilities ----
# shellcheck disable=SC2016
echo 'mount --bind tree tree && mount --rbind /proc tree/proc && mount --rbind /sys tree/sys && cp NAME.bpf tree &&
	exec setpriv --bounding-set=-all,$CAPS,+sys_chroot --inh-caps=-all chroot tree "$@"' > alone
alone=(unshare -m sh alone)
export CAPS=+bpf,+perfmon
check 0 '/^begun$' '/^switches 1 ticks 1$' -- "${alone[@]}" /NAME.bpf
check 0 '/^here: CAP_BPF and CAP_PERFMON$' '/^NAME can run on kernel' '!^missing' -- \
	"${alone[@]}" /opt/staprun --check /NAME.bpf
check 0 '/^switches 1 ticks 1$' -- "${alone[@]}" /opt/staprun /NAME.bpf
CAPS=+perfmon check 4 '/^missing: CAP_BPF and CAP_PERFMON; .*--cap-add=BPF' -- \
	"${alone[@]}" /opt/staprun --check /NAME.bpf

# ---- the lines of the manual page ----
sed "s/\\\\e\$/\\\\/; s/\\\\-/-/g" "$TOP/man/stap-in-containers.7stap" > page
sed -n '/^docker run .*--cap-add=BPF/{:line;p;/\\$/!q;n;b line}' page | sed 's/^docker/podman/; s/IMAGE/image/' > line
# The lines for Kubernetes have the same capabilities.
sed -n '/^securityContext:/,/^\.fi/p' page | grep -A 2 capabilities: | xargs > context
grep -qx 'capabilities: drop: \[ALL\] add: \[BPF, PERFMON\]' context || say_wrong "for Kubernetes: $(cat context)"
grep -q 'podman run .*--cap-add=PERFMON' line && grep -q 'NAME.bpf$' line || say_wrong "the manual page has no line"

# ---- podman, in a namespace of mounts; a profile of podman's that is too old is told ----
if ! type -P podman > /dev/null && [ ! -x "$TOP/build/unpacked/usr/bin/podman" ]; then
	finish
	exit
fi
cat > inside << 'END'
fail() { echo "$1"; exit 1; }
mount -t tmpfs none /run && { umount -R /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup; } || exit
PATH=$(echo "$PATH" | tr : '\n' | grep -v /unpacked/ | paste -sd:)
. "$TOP/tests/guest/podman_engine.inc"
tar -C tree -c . | podman import -q - image > said 2>&1 || fail "podman import: $(cat said)"
begin='podman run --cgroups=disabled --ulimit nofile=1024:1024 --ulimit nproc=1000:1000'
sed "s#podman run#$begin --security-opt seccomp=unconfined#" line > here
sh here
sed 's#/NAME.bpf$#/opt/staprun --check /NAME.bpf#' here | sh
sed 's# /NAME.bpf$# /opt/staprun -o /dev/stdout /NAME.bpf#' here | sh
sed 's#--cap-add=PERFMON##; s#/NAME.bpf$#/opt/staprun --check /NAME.bpf#' here | sh
sed "s#podman run#$begin#; s#/NAME.bpf\$#/opt/staprun --check /NAME.bpf#" line | sh
exit 0
END
check 0 '/^begun$' '/^number 1$' '/^switches 1 ticks 1$' '/^NAME can run on kernel' \
	'/^missing: CAP_BPF and CAP_PERFMON; ' -- unshare -m bash ./inside
[ "$(grep -c '^switches 1 ticks 1$' out)" = 2 ] || say_wrong "not by the program and by staprun"
tail -n 1 out | grep -q 'can run on kernel' ||
	grep -q '^missing: the system call bpf(2); system calls are filtered' out || say_wrong "the engine's profile"
finish
