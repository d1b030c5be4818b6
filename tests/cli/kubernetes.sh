# SPDX-License-Identifier: GPL-2.0-or-later
# The manifest for Kubernetes: it is valid YAML, its parts refer to each other, its script translates, and the manual
# page shows the same manifest.
# skip: ! python3 -c 'import yaml' 2> /dev/null && echo "python3-yaml is not installed"
. "$TOP/tests/cli/expect.inc"
cat > read.py <<'END'
import subprocess, sys, yaml
text = open(sys.argv[1]).read()
space, config, daemons = yaml.safe_load_all(text)
assert [d["kind"] for d in (space, config, daemons)] == ["Namespace", "ConfigMap", "DaemonSet"]
name = space["metadata"]["name"]
assert space["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "privileged"
assert all(d["metadata"]["namespace"] == name for d in (config, daemons))
spec = daemons["spec"]
labels = spec["template"]["metadata"]["labels"]
assert spec["selector"]["matchLabels"].items() <= labels.items()
pod = spec["template"]["spec"]
container, = pod["containers"]
assert pod["hostPID"] and container["securityContext"]["privileged"]
volumes = {v["name"]: v for v in pod["volumes"]}
mounts = {m["name"]: m for m in container["volumeMounts"]}
assert volumes.keys() == mounts.keys() and len(volumes) == len(pod["volumes"])
assert volumes["script"]["configMap"]["name"] == config["metadata"]["name"]
for volume in "modules", "headers", "cgroups":
    assert mounts[volume]["mountPath"] == volumes[volume]["hostPath"]["path"] and mounts[volume]["readOnly"]
script, = config["data"]
command = container["args"][0]
assert command.split()[-1] == mounts["script"]["mountPath"] + "/" + script
subprocess.run(container["command"][:-1] + ["-n", "-c", command], check=True)
open("script.stp", "w").write(config["data"][script])
open("daemons", "w").write(text.split("---\n")[2])
END
check 0 -- python3 read.py "$TOP/examples/kubernetes/stap.yaml"
check 0 '/syscall\.open' -- "$STAP" -r "$KERNEL" -p2 script.stp
# The page has the lines of the DaemonSet.
sed -n '/^apiVersion: apps/,/^\.fi/p' "$TOP/man/stap-in-containers.7stap" | sed '/^\.fi/d; s/\\-/-/g' > page
diff daemons page > out 2>&1 || say_wrong 'the manual page shows another DaemonSet'
finish
