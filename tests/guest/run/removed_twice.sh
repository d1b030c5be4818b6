# SPDX-License-Identifier: GPL-2.0-or-later
# Requests to remove one module that arrive at the same time: each succeeds, or finds that the module has gone; none
# ends another.
# guards: staprun runtime/kernel
set -eu
m=t_endless
rounds=20
[ -z "${SLOW-}" ] || rounds=1000
for i in $(seq $rounds); do
	staprun -L "$MODULES/$m.ko" > run 2>&1 || { echo "round $i: -L: status $?: $(cat run)"; exit 1; }
	requests='' removed=0
	for one in 1 2 3 4; do
		{ staprun -d $m || echo "status $?"; } > "request.$one" 2>&1 & requests+=" $!"
	done
	wait $requests
	for one in 1 2 3 4; do
		case $(grep -v 'of [0-9]* hits was not read$' "request.$one" | paste -sd' ') in
		'') removed=1 ;;
		"ERROR: no module $m is loaded status 1") ;;
		*) echo "round $i: $(cat "request.$one")"; exit 1 ;;
		esac
	done
	[ $removed = 1 ] && [ ! -e /sys/module/$m ] || { echo "round $i: still there"; exit 1; }
done
