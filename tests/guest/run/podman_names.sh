# skip: is_slow 'a container takes ten seconds to start where machines are emulated' || no_podman
# Podman containers by their names; the module of a stopped container is removed with it, that of a killed one by the
# next run.
. "$TOP/tests/guest/podman.inc"

begin_web
said 'the list' 0 "^${id:0:12} +podman +web " stap-container -l
for name in web "${id:0:8}"; do
	said "--container=$name" 0 '' staprun "--container=$name" -c 'sleep 2' "$MODULES/t_cgroups.ko"
	only_web said
done

# begin NAME: a script of its own in a container; its probes are in place
begun() { podman logs "$1" > said 2> err; cat said err | grep -q 'probes are in place'; }
begin() {
	podman run -d --name "$1" --privileged $image staprun -v /t_target.ko > said 2> err || fail 'podman run -d'
	wait_for begun "$1"
}
loaded() { grep -q '^t_' /proc/modules; }

begin stopped
loaded || fail 'nothing is loaded'
podman stop -t 60 stopped > said 2> err || fail 'podman stop'
! loaded || fail 'podman stop: the module is left'
begin killed
podman kill -s KILL killed > said 2> err || fail 'podman kill'
said 'the next run' 0 '' staprun "$MODULES/t_target.ko" -c true
podman rm -f -t 0 web stopped killed > said 2> err || fail 'podman rm'
