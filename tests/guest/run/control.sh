# The control file of a loaded module, called by its owner from four threads at once and in every state: nothing is
# started twice, what another START brings does not reach the script that runs, the kernel says nothing, and the module
# goes.
set -eu
rounds=300
[ -z "${SLOW-}" ] || rounds=20000
for seed in 1 2 3; do
	insmod "$MODULES/t_control.ko"
	"$MODULES/control" /proc/stap-t_control $rounds $seed
	rmmod t_control
done
