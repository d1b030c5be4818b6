# SPDX-License-Identifier: GPL-2.0-or-later
# --web in a browser: a panel for each kind of value, sorting, filter, pause, switches, and the page saved as one file.
# skip: [ ! -x "${B:-build}/bin/stap-exporter" ] && echo "no stap-exporter: libmicrohttpd-dev, libyaml-dev"
# skip: is_slow "a browser shows the live page" || no_program chromium python3
# guards: exporter
. "$TOP/tests/cli/expect.inc"
parts=$TOP/tests/cli/web.d
PYTHONDONTWRITEBYTECODE=1 python3 "$parts/look.py" "$STAP --runtime=user" "$parts/panels.stp" "$PWD" \
	> out 2> err || say_wrong "look.py: $(tail -n 3 err)"
[ ! -s out ] || say_wrong "$(cat out)"
rm -rf browser "${TMPDIR:-/tmp}"/org.chromium.Chromium.*
finish
