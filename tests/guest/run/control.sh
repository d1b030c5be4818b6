# The control file of a loaded module, called by its owner from four threads at once and in every state: nothing is
# started twice, the arguments of another START do not affect the running script, the kernel logs nothing, and the
# module can be removed.
set -eu
rounds=300
[ -z "${SLOW-}" ] || rounds=20000
for seed in 1 2 3; do
	insmod "$MODULES/t_control.ko"
	"$MODULES/control" /proc/stap-t_control $rounds $seed
	rmmod t_control
done
