# SPDX-License-Identifier: GPL-2.0-or-later
# --web in a browser: a panel for each kind of value, sorting, filter, pause, switches, the timeline, and the page saved
# as one file; a column for each machine of --remote; the time from a hit to the screen, and the processor
# time of 2,000 keys.
# skip: [ ! -x "${B:-build}/bin/stap-exporter" ] && echo "no stap-exporter: libmicrohttpd-dev, libyaml-dev"
# skip: is_slow "a browser shows the live page" || no_program chromium python3
# guards: exporter stap/remote/hostpage.c
. "$TOP/tests/cli/expect.inc"
parts=$TOP/tests/cli/web.d
# look PROGRAM SCRIPT
look() {
	PYTHONDONTWRITEBYTECODE=1 python3 "$parts/$1" "$STAP --runtime=user" "$parts/$2" "$PWD" > out 2> err ||
		say_wrong "$1: $(tail -n 3 err)"
}
look look.py panels.stp
[ ! -s out ] || say_wrong "$(cat out)"
look look_slices.py slices.stp
[ ! -s out ] || say_wrong "$(cat out)"
look figures.py keys.stp
grep 'too much' out && say_wrong "$(cat out)"
rm -rf browser
. "$TOP/tests/cli/machine.inc"
. "$parts/fleet.inc"
PYTHONDONTWRITEBYTECODE=1 python3 "$parts/look_fleet.py" "$STAP" "$PWD" > out 2> err ||
	say_wrong "look_fleet.py: $(tail -n 3 err)"
[ ! -s out ] || say_wrong "$(cat out)"
rm -rf browser "${TMPDIR:-/tmp}"/org.chromium.Chromium.*
finish
