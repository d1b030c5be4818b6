# SPDX-License-Identifier: GPL-2.0-or-later
# A warning is shown once, with -v each time; JSON always has it.
set -eu
cd "$(mktemp -d)"
count() {
	[ "$(grep -c "$2" err out | awk -F: '{ n += $2 } END { print n }')" = "$3" ] || {
		echo "$1: not $3 lines of $2"
		cat err out
		exit 1
	}
}

staprun "$MODULES/t_warns.ko" > out 2> err
count plain '^WARNING: same$' 1
count plain '^WARNING: other$' 1
staprun -v "$MODULES/t_warns.ko" > out 2> err
count -v '^WARNING: same$' 2
staprun --json "$MODULES/t_warns.ko" > out 2> err
count --json '^WARNING: same$' 1
count --json '"warning".*same' 2
