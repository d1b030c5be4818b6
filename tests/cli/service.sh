# SPDX-License-Identifier: GPL-2.0-or-later
# stap service: its command line, names, the configuration and errors in it, the files that it may trust, enable and
# disable in a separate tree. tests/guest/run/services.sh runs services.
# skip: no_program systemctl
. "$TOP/tests/cli/expect.inc"
root=$PWD/root scripts=$PWD/root/etc/stap/scripts
mkdir -p "$scripts"
echo 'probe begin { println(@1) exit() }' > "$scripts/a.stp"
conf() { printf "$@" > "$scripts/a.conf"; }
service() { local verb=$1; shift; echo "$STAP service $verb --root=$root $*"; }
checks() { check "$1" "${@:2}" -- $(service check a); }

# The command line.
check 0 '/^Usage: stap service VERB' '/^  enable +start it at each boot' '/^  --now ' -- $STAP service --help
check 0 '/^Usage: stap service' -- $STAP service enable -h
check 2 '/service: a verb is missing; see stap service --help' -- $STAP service
check 2 "/service: there is no verb 'enabel'" -- $STAP service enabel a
check 2 '/service: a name is missing' -- $STAP service enable
check 2 "/service: 'b' is a second name" -- $STAP service disable a b
check 2 "/service: unknown option '--early'" -- $STAP service disable --early a
check 2 '/--root=nowhere: there is no such directory' -- $STAP service enable --root=nowhere a
check 2 '/--now is for this machine' -- $(service enable --now a)
check 2 '/status is that of this machine' -- $(service status a)

# A script of that name stays a script, and its directory gives root's words no other meaning.
mkdir beside
echo 'probe begin { printf("script %s\n", @1) exit() }' > beside/service
(cd beside && $STAP --runtime=user service enable) > out 2>&1; grep -qx 'script enable' out || say_wrong 'options first'
(cd beside && $STAP service --runtime=user other) > out 2>&1; grep -qx 'script other' out || say_wrong 'no verb behind'
check 2 "/there is a file 'service' here: .stap ./service. runs it" -- env -C beside $STAP service status a
(cd beside && $STAP ./service --runtime=user enable) > out 2>&1; grep -qx 'script enable' out || say_wrong './service'

# Names.
long=$(printf 'n%.0s' $(seq 201))
for name in '' . .. ../a a/b /a -a .a _a a%i 'a b' 'a
b' $'a\tb' $'\e[31ma' ä a@b 'a\x2db' 'a*' 'a;b' 'a$b' "$long"; do
	check 2 '/is not a valid service name: it has letters, digits' '!'$'\e' \
		-- $STAP service check --root="$root" -- "$name"
	check 2 -- $STAP service run --root="$root" "$name"
	check 2 -- $STAP service disable --root="$root" "$name"
done
check 3 "/no service 'b': .*/etc/stap/scripts/b.stp is not there; .stap service status. lists" -- $(service check b)
for name in a.b a-b 1_x "${long#n}"; do
	cp "$scripts/a.stp" "$scripts/$name.stp"
	check 0 "/^stap -- .*/$name.stp\$" -- $(service check "$name")
	rm "$scripts/$name.stp"
done

# The configuration.
checks 0 "/^stap -- $scripts/a.stp\$"
conf ''; checks 0 "/^stap -- $scripts/a.stp\$"
conf '# a comment\n; another\n\n  OPTIONS = -v  "-DA=b c"\t-g\nOPTIONS=-w\n'
printf 'ARGUMENTS='"'a  b' \"q\\\\\"\\\\\\\\ \" -x c\"d\"'e' ''" >> "$scripts/a.conf"
checks 0 "/^stap -v '-DA=b c' -g -w -- $scripts/a.stp 'a  b' 'q\"\\\\ ' -x cde ''\$"
conf 'OUTPUT=x.log\nROTATE=1h,10\nCOMPRESS=yes\nPRIVILEGE=stapsys'
checks 0 "/^stap -o x.log -S 1h,10 --compress --privilege=stapsys -- $scripts/a.stp\$"
conf 'COMPRESS=no\n'; checks 0 "/^stap -- "
# Nothing is run, and no variable replaced.
conf 'ARGUMENTS=$HOME `touch ran` $(touch ran) ; touch ran | * ~ && %%i\n'
checks 0 "/ '\\\$HOME' '\`touch' 'ran\`' '\\\$\\(touch' 'ran\\)' ';' touch ran '\\|' '\\*' '~' '&&' %i\$"
[ ! -e ran ] || say_wrong 'a shell has read it'
at() { echo "/^stap: $scripts/a.conf:$1: $2"; }
conf 'OPTIONS=-v\nOUTPUTS=x'; checks 2 "$(at 2 "there is no 'OUTPUTS' here; did you mean 'OUTPUT'")"
conf 'DEBUGINFOD_URLS=x'; checks 2 "$(at 1 "there is no 'DEBUGINFOD_URLS' here; .*Environment= of systemctl edit")"
conf '\n-v\n'; checks 2 "$(at 2 'not NAME=VALUE')"
conf '=x\n'; checks 2 "$(at 1 'not NAME=VALUE')"
conf 'export OPTIONS=x\n'; checks 2 "$(at 1 'not NAME=VALUE')"
conf 'OUTPUT=a\n\nOUTPUT=b'; checks 2 "$(at 3 'OUTPUT= is given twice, first in line 1')"
conf 'OUTPUT=a b'; checks 2 "$(at 1 'OUTPUT= takes one word; quotes hold blanks together')"
conf 'OUTPUT=""'; checks 2 "$(at 1 'OUTPUT= takes one word')"
conf 'OUTPUT='; checks 2 "$(at 1 'OUTPUT= takes one word')"
conf 'COMPRESS=true'; checks 2 "$(at 1 "COMPRESS= is yes or no, not 'true'")"
conf 'OPTIONS=-v \\\n-g'; checks 2 "$(at 1 'lines are not continued')"
conf 'OPTIONS="-v'; checks 2 "$(at 1 'a quote is not closed')"
conf "OPTIONS=-v\\r\\n"; checks 2 "$(at 1 'a control character, of code 13')"
conf 'OPTIONS=-v\0 -g\n'; checks 2 "$(at 1 'a control character, of code 0')"
conf 'OPTIONS=-v\n#\e[31m\n'; checks 2 "$(at 2 'a control character, of code 27')"
conf 'OPTIONS=-v\n\nOPTIONS=-w --vrbose'; checks 2 "$(at 3 "unknown option '--vrbose'; did you mean '--verbose'")"
conf 'PRIVILEGE=root\n'; checks 2 "$(at 1 '--privilege is stapusr, stapsys or stapdev')"
conf 'OPTIONS=-v\nROTATE=1h\n'; checks 2 "$(at 2 '-S and --compress need -o FILE')"
conf 'OPTIONS=-o\nARGUMENTS=x\n'; checks 2 "$(at 1 '-o needs an argument')"
conf 'OPTIONS=-v other.stp\n'; checks 2 "$(at 1 "'other.stp' is not an option; the script's own words are ARGUMENTS=")"
conf 'OPTIONS=-v\nOPTIONS=--\n'; checks 2 "$(at 2 "'--' is not an option")"
for option in --vm --remote=direct: -p4 -F --fmt --doctor --status --monitor '-e x' '-l x' --example=disk-top; do
	conf "OPTIONS=-v\nOPTIONS=$option -o x --on-full=overwrite"
	checks 2 "$(at 2 "${option%%[ =4]*} cannot be used in a service")"
done
conf 'OPTIONS=-V'; checks 2 "$(at 1 '-h and -V do not go with a service')"
{ printf 'OPTIONS='; head -c 70000 /dev/zero | tr '\0' v; } > "$scripts/a.conf"
checks 2 '/a.conf is larger than 65536 bytes'
rm "$scripts/a.conf"
mkdir "$scripts/a.conf"; checks 3 '/a.conf is not a file'; rmdir "$scripts/a.conf"
mkfifo "$scripts/a.conf"; checks 3 '/a.conf is not a file'; rm "$scripts/a.conf"
ln -s nowhere "$scripts/a.conf"; checks 0 "/^stap -- "; rm "$scripts/a.conf"

# Words of root's, which nobody else may have written.
conf 'OPTIONS=-v\n'
for file in a.stp a.conf .; do
	mode=$(stat -c %a "$scripts/$file")
	chmod o+w "$scripts/$file"
	checks 3 "/$(basename "${file#.}" "")[^ ]* may be written by other users.*chmod go-w"
	chmod "$mode" "$scripts/$file"
	[ "$(id -u)" = 0 ] || continue
	chown 1234 "$scripts/$file"; checks 3 '/belongs to another user.*chown root'; chown 0:1234 "$scripts/$file"
	chmod g+w "$scripts/$file"; checks 3 '/may be written by other users'; chown 0:0 "$scripts/$file"
	checks 0
	chmod "$mode" "$scripts/$file"
done

# A unit for each boot, in a tree of files.
make -s -C "$TOP" install-units "DESTDIR=$root" prefix=/usr "bindir=/usr/bin" > out 2>&1 || say_wrong 'install-units'
system=$root/etc/systemd/system
link=multi-user.target.wants/stap@a.service early=sysinit.target.wants/stap@a.service
check 0 -- $(service enable a)
[ -L "$system/$link" ] || say_wrong 'enable: no link'
check 0 -- $(service enable --early a)
[ -L "$system/$early" ] && [ ! -L "$system/$link" ] || say_wrong "enable --early: $(find "$system")"
grep -qx 'Before=sysinit.target shutdown.target' "$system/stap@a.service.d/early.conf" || say_wrong 'early: no drop-in'
check 0 -- $(service enable a)
[ -L "$system/$link" ] && [ ! -L "$system/$early" ] && [ ! -e "$system/stap@a.service.d" ] ||
	say_wrong "enable again: $(find "$system")"
check 0 -- $(service enable --early a)
rm "$scripts/a.stp"
check 3 "/no service 'a'" -- $(service enable a)
check 0 -- $(service disable a)
[ -z "$(find "$system" -name '*stap@*')" ] || say_wrong "disable: $(find "$system")"
conf 'OPTIONS'; echo 'probe begin {}' > "$scripts/a.stp"
check 2 "$(at 1 'not NAME')" -- $(service enable a)
[ -z "$(find "$system" -name '*stap@*')" ] || say_wrong 'a service that cannot start is enabled'

# run becomes stap with the script: its output, and its exit status.
conf 'OPTIONS=--runtime=user\nARGUMENTS="two words"\n'
echo 'probe begin { println(@1) exit() }' > "$scripts/a.stp"
check 0 '/^two words$' -- $STAP service run --root="$root" a
echo 'probe begin { nothing_like_it() }' > "$scripts/a.stp"
check 1 "/there is no function 'nothing_like_it'" -- $STAP service run --root="$root" a

# The example of the manual page.
app=$TOP/examples/app-trace
install -m 644 "$app/trace-io.stp" "$scripts/app-trace.stp"
install -m 644 "$app/service/app-trace.conf" "$scripts/"
check 0 "/^stap -g --on-disk-full=wait -o %h-app-trace.out -S 1h,24 --compress -- $scripts/app-trace.stp\$" -- $(service check app-trace)
sed "s|@bindir@|$(dirname "$STAP")|" "$TOP/units/stap@.service" > stap@app-trace.service
mkdir stap@app-trace.service.d && cp "$app/service/unit.conf" stap@app-trace.service.d/
check 0 -- systemd-analyze verify --man=no ./stap@app-trace.service
[ ! -s err ] || say_wrong 'systemd complains of the example'

# Every name of the table is in the manual page, and no other.
sed -nE 's/^(WORDS|OPTION|SWITCH)\(([A-Z]+),.*/\2/p' "$TOP/stap/service/conf.def" | sort > names
sed -nE 's/^\.B ([A-Z]+)=$/\1/p' "$TOP/man/stap@.service.8" | sort > page
diff names page > out || say_wrong 'the manual page has other names than conf.def'
for verb in enable disable status check run; do
	grep -qE "^\.BR? \"?$verb" "$TOP/man/stap@.service.8" || say_wrong "the manual page lacks $verb"
done
finish
