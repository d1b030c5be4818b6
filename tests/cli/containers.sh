# SPDX-License-Identifier: GPL-2.0-or-later
# stap-container: containers by the names of their control groups, and by the files in which engines keep their names.
. "$TOP/tests/cli/expect.inc"
bin=$(dirname "$STAP")
mkdir -p groups root
id() { printf '%064d' 0 | tr 0 "$1"; }
pod=11111111-2222-3333-4444-555555555555
slice=kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${pod//-/_}.slice
byitself=kubepods/besteffort/pod99999999-2222-3333-4444-555555555555
for group in system.slice/docker-$(id a).scope/below docker/$(id b) machine.slice/libpod-$(id c).scope/container \
	machine.slice/libpod-conmon-$(id c).scope "$slice/cri-containerd-$(id d).scope" "$byitself/$(id e)" \
	"machine.slice/libpod-$(id f).scope" \
	lxc.payload.old/system.slice lxc/older 'machine.slice/machine-my\x2dbox.scope' system.slice/cron.service \
	kubepods.slice/crio-conmon-$(id f).scope $'system.slice/docker-x\ny.scope' docker/short; do
	mkdir -p "groups/$group"
done
# state FILE TEXT
state() { mkdir -p "root$(dirname "$1")" && echo "$2" > "root$1"; }
state "/var/lib/docker/containers/$(id a)/config.v2.json" '{"Name": "/web", "State": {}}'
state "/var/lib/docker/containers/$(id b)/config.v2.json" '{"Name": "/we\u001b[31mb"}'
state /var/lib/containers/storage/overlay-containers/containers.json \
	"[{\"id\": \"$(id c)\", \"names\": [\"db\"]}, {\"id\": 7}, 3]"
state /var/lib/containers/storage/vfs-containers/containers.json "[{\"id\": \"$(id f)\", \"names\": [\"slow\"]}]"
annotations() { # annotations CONTAINER POD NAMESPACE
	echo "{\"annotations\": {\"io.kubernetes.cri.container-name\": \"$1\", \"io.kubernetes.cri.sandbox-name\": \"$2\"," \
		"\"io.kubernetes.cri.sandbox-namespace\": \"$3\"}}"
}
tasks=/run/containerd/io.containerd.runtime.v2.task/k8s.io
state "$tasks/$(id d)/config.json" "$(annotations api front prod)"
state "$tasks/$(id e)/config.json" "$(annotations api front test)"
find="$bin/stap-container --root=$PWD/root --cgroups=$PWD/groups"

for name in web "$(id a)" aaaa aaaaaaaaaaaa; do check 0 "/^/system.slice/docker-a{64}.scope\$" -- $find "$name"; done
check 0 "/^/docker/b{64}\$" -- $find bbbb
for name in db cccc; do check 0 "/^/machine.slice/libpod-c{64}.scope\$" -- $find "$name"; done
check 0 "/^/$slice/cri-containerd-d{64}.scope\$" -- $find dddd
check 0 "/^/machine.slice/libpod-f{64}.scope\$" -- $find slow
for name in pod/prod/front prod/front "$pod"; do check 0 "/^/$slice\$" -- $find "$name"; done
check 0 "/^/$byitself\$" -- $find pod/test/front
check 0 "/^/lxc.payload.old\$" -- $find old
check 0 "/^/lxc/older\$" -- $find older
check 0 '/^/machine.slice/machine-my.x2dbox.scope$' -- $find my-box

check 1 "/'pod/front' means several containers" "/$slice" "/$byitself" -- $find pod/front
check 1 "/'api' means several containers" -- $find api
check 1 "/no running container 'aaa'" '/stap-container -l lists|in a cgroup namespace' -- $find aaa
for name in cron cron.service short x conmon; do check 1 "/no running container '$name'" -- $find "$name"; done
check 0 '/^ID +ENGINE +NAME +CONTROL GROUP' '/^a{12} docker +web +/system' '/^b{12} docker +we\?\[31mb' \
	'/^my-box +machine' '!/cron' '!/conmon' '!/docker-x' -- $find -l
[ "$(wc -l < out)" = 12 ] || say_wrong "-l lists $(wc -l < out) lines"
check 0 '/podman +db' '!/docker' -- $find -l db
check 1 '!/ID' -- $find -l nothing
check 2 '/^Usage: stap-container' -- $find
check 2 '/^Usage: stap-container' -- $find a b
check 2 '/unrecognized option' -- $find --nothing
check 0 '/^Usage: stap-container' -- $find --help
check 1 '/ERROR: No such file' -- "$bin/stap-container" --cgroups="$PWD/nowhere" x
# Nothing that others have named, or that was asked for, acts on a terminal: C1's characters neither.
mkdir -p $'groups/lxc/odd\xc2\x9b31m' $'groups/lxc/bad\x9b31m'
state "/var/lib/docker/containers/$(id b)/config.v2.json" '{"Name": "w\u009b31meb"}'
check 0 '/^odd\?\?31m ' '/^bad\?31m +' '/^b{12} docker +w\?\?31meb +/' "!$(printf '[\033\233]')" -- $find -l
check 1 "/^ERROR: no running container '\?\[31mx\?\?31my'$" -- $find $'\e[31mx\xc2\x9b31my'
check 0 "/^/lxc/odd$(printf '\302\233')31m\$" -- $find $'odd\xc2\x9b31m'
on_terminal $find $'odd\xc2\x9b31m' > out
grep -q '^/lxc/odd??31m' out || say_wrong 'on a terminal'
rmdir $'groups/lxc/odd\xc2\x9b31m' $'groups/lxc/bad\x9b31m'
# Somebody who may make groups makes one of the same id elsewhere: his is not taken for it, nor the other.
mkdir -p "groups/user.slice/docker-$(id a).scope"
check 1 "/'web' means several containers" '/user.slice' -- $find web
# Files that are not what they should be tell nothing, and end nothing.
for text in '' '[' '{}' '{"Name": 5}' '{"Name": ""}' '[[[[' "$(head -c 3000 /dev/urandom | base64)"; do
	state "/var/lib/docker/containers/$(id b)/config.v2.json" "$text"
	state /var/lib/containers/storage/overlay-containers/containers.json "$text"
	check 0 '/^b{12} docker +- ' '/^c{12} podman +- ' -- $find -l
done
finish
