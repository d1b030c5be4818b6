# skip: is_slow 'a container takes ten seconds to start where machines are emulated' || no_podman
# Containers of podman by their names, from outside and from within; what the DaemonSet asks for; ends.
. "$TOP/tests/guest/podman.inc"

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
