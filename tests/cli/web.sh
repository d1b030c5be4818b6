# SPDX-License-Identifier: GPL-2.0-or-later
# --web: the live page of a run of --runtime=user: the token, what a browser may load, events that tell what has
# changed, hostile texts, switches, the end.
# skip: [ ! -x "${B:-build}/bin/stap-exporter" ] && echo "no stap-exporter: libmicrohttpd-dev, libyaml-dev"
# guards: exporter runtime/uapi stap/run
. "$TOP/tests/cli/expect.inc"
python3 "$TOP/tests/cli/web.d/read.py" "$STAP --runtime=user" "$TOP/tests/cli/web.d/panels.stp" > out 2> err ||
	say_wrong "read.py: $(tail -n 3 err)"
[ ! -s out ] || say_wrong "$(cat out)"
python3 "$TOP/tests/cli/web.d/slices.py" "$STAP --runtime=user" "$TOP/tests/cli/web.d/slices.stp" > out 2> err ||
	say_wrong "slices.py: $(tail -n 3 err)"
[ ! -s out ] || say_wrong "$(cat out)"

# A script that does not run ends the page with its status; one that nobody looks at ends it, too.
check 1 'unknown probe point' -- $STAP --runtime=user --web -e 'probe nonsense { }'
check 0 '^http://127' -- $STAP --runtime=user --we -e 'probe begin { println(1) exit() }'
check 0 '^http://\[::1\]:[0-9]+/' -- $STAP --runtime=user --web='[::1]:0' -e 'probe begin { exit() }'
check 2 '--web needs a script: a file, -e TEXT or --example NAME' -- $STAP --web
check 2 "--listen needs ADDRESS:PORT, not 'nonsense'" -- $STAP --web=nonsense -e 'probe begin { exit() }'
check 2 '--web.*--exporter|--exporter.*--web' -- $STAP --web --exporter -e 'probe begin { exit() }'
check 2 '--web shows a run that is read here, and cannot be combined with --vm' -- $STAP --web --vm -e 'probe begin { }'
check 2 '--web shows a run that is read here, and cannot be combined with --monitor' -- \
	$STAP --runtime=user --web --monitor -e 'probe begin { }'
finish
