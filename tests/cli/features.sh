# SPDX-License-Identifier: GPL-2.0-or-later
# A build without the optional libraries: stap --doctor lists them with the distribution's command that installs them,
# and its status ignores them; -i reports once why Tab does nothing; the options that need them report that. A build
# with them reports them as built in.
# skip: no_namespace || no_program script
. "$TOP/tests/cli/expect.inc"
features='editing monitor exporter sqlite postgresql mysql kafka vmcore'

# Only what uses those libraries is compiled.
mkdir -p less/share/stap
cp -a "$TOP/$B"/{.complete,cfi,flags,lib,merge,runtime,stap,stapio,tools,trace,translator} "$TOP/$B"/*.a less
ln -s "$TOP"/{tapset,runtime,lib,trace} less/share/stap
make -C "$TOP" --no-print-directory "B=$PWD/less" HAVE_{SQLITE,POSTGRESQL,MYSQL,KAFKA}=n \
	HAVE_{KDUMPFILE,NCURSES,LIBEDIT,EXPORTER}=n "$PWD"/less/bin/{stap,stap-merge} > out 2> err ||
	say_wrong 'no build without the libraries'
[ "$(grep -c 'CC' out)" -le 16 ] || say_wrong 'more is compiled than what uses them'
less=$PWD/less/bin/stap

# What is missing here besides.
$STAP --doctor > out 2> err
status=$?
check $status '/^without +editing +not built in: Tab ' "!^ok +(${features// /|}) " -- $less --doctor
[ "$(grep -cE "^without +(${features// /|}) +not built in: " out)" = 8 ] || say_wrong 'it does not list them all'
on() {
	printf '%b' "$1" > os
	check $status "${@:2}" -- unshare -m sh -c \
		'mount --bind os "$(readlink -f /etc/os-release)" && exec "$@"' sh $less --doctor
}
on 'ID=debian\n' '/^ +apt-get install libedit-dev pkg-config, then build stap again$' '/ libncurses-dev ' \
	'/ libsqlite3-dev ' '/ libpq-dev ' '/ libmariadb-dev ' '/ librdkafka-dev ' '/ libkdumpfile-dev ' \
	'/ libmicrohttpd-dev libyaml-dev libcrypt-dev '
on 'ID=fedora\n' '/^ +dnf install libedit-devel pkgconf-pkg-config, then build stap again$' '/ ncurses-devel ' \
	'/ sqlite-devel ' '/ libpq-devel ' '/ mariadb-connector-c-devel ' '/ librdkafka-devel ' \
	'/ libkdumpfile-devel ' '/ libmicrohttpd-devel libyaml-devel libxcrypt-devel '
on 'ID=opensuse-leap\n' '/^ +zypper install sqlite3-devel pkg-config, then build stap again$'
on 'ID=arch\n' '/^ +pacman -S libedit pkgconf, then build stap again$' '!libkdumpfile-dev'
check 0 '/^[a-z-]+ (-S|install) libedit' -- $less --doctor=libedit
[ "$(sed -n 's/^OPTIONAL := //p' "$TOP/Makefile" | wc -w)" = 8 ] || say_wrong 'the Makefile has other libraries'
# This build's own, as its programs say themselves.
$STAP --version > version && "${STAP%/*}/stap-merge" -V >> version
own=()
while read -r feature pattern; do
	if grep -qE "$pattern" version; then own+=("/^ok +$feature "); else own+=("/^without +$feature "); fi
done <<'END_FEATURES'
editing , with libedit
monitor , with ncurses
exporter , with stap-exporter
sqlite SQLite
postgresql PostgreSQL
mysql MySQL
kafka , with librdkafka
vmcore , with libkdumpfile
END_FEATURES
check $status "${own[@]}" -- $STAP --doctor

# ---- what somebody asks for ----
export SYSTEMTAP_DIR=$PWD/state
printf 'he\tlp\nlist\nquit\n' > lines
INPUT=lines check 0 '/Tab does not work here: this stap was built without libedit \(.*, then build it again\)' \
	-- script -qec "$less --runtime=user -i" /dev/null
[ "$(grep -c 'Tab does not work' out)" = 1 ] || say_wrong 'it is not said once'
INPUT=lines check 0 '!Tab does not work' -- $less --runtime=user -i
check 3 '/--monitor: this stap was built without ncurses; .* install .*ncurses.*, then build it again' \
	-- $less --runtime=user --monitor -e 'probe begin { }'
check 3 '/--exporter: no .*/stap-exporter; this stap was built without libmicrohttpd or libyaml; .*, then build it again' \
	-- $less --runtime=user --exporter -e 'probe begin { }'
check 0 '/without ncurses .*without libedit .*without stap-exporter' -- $less --version
check 0 '/with no database, without librdkafka, without libkdumpfile' -- less/bin/stap-merge -V
finish
