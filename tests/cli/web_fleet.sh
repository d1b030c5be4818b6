# SPDX-License-Identifier: GPL-2.0-or-later
# --web with --remote: each machine's values, books, lines and state; switches for all; what has ended or failed. `ssh`,
# `uname` and `staprun` are stand-ins; tests/guest/run/web_fleet.sh has the real ones.
# skip: [ ! -x "${B:-build}/bin/stap-exporter" ] && echo "no stap-exporter: libmicrohttpd-dev, libyaml-dev"
# skip: no_program python3
# guards: exporter stap/remote stap/run
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/machine.inc"
. "$TOP/tests/cli/web.d/fleet.inc"
python3 "$TOP/tests/cli/web.d/read_fleet.py" "$STAP" > out 2> err || say_wrong "read_fleet.py: $(tail -n 3 err)"
[ ! -s out ] || say_wrong "$(cat out)"
grep -q -- '--records=text,1,values ' started || say_wrong "how it is started: $(cat started)"
[ "$(sort -u switched | cut -d ' ' -f 1,2 | tr '\n' ,)" = \
	'one --switch=0:off,one --switch=all:on,two --switch=0:off,two --switch=all:on,' ] ||
	say_wrong "what is switched: $(cat switched)"
[ -z "$(ls ./*.ko 2> /dev/null)" ] || say_wrong "a module is left here"
# A machine whose staprun sends no values gets the static one, as one that has none; without it, it is refused.
sed -i 's/\[,S\[,values\]\]//' bin/staprun
[ -e "$(dirname "$STAP")/../static" ] ||
	check 3 '/one has the staprun of an older stap, which sends no values, and ' -- \
	$STAP --web --remote one -e 'probe begin { }'
check 2 '/--web with --remote needs records as they come; -b or -M leaves them on the machines until the run ends' -- \
	$STAP --web --remote one -b -o x -e 'probe begin { }'
check 2 '/--web shows a run that is read here, and cannot be combined with --vm, -F or --monitor' -- \
	$STAP --web --remote one -F -e 'probe begin { }'
check 2 '/--page-hosts: descriptor 5 is not a socket' -- $STAP --page-hosts=5 --remote one -e 'probe begin { }'
finish
