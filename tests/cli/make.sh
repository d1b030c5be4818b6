# SPDX-License-Identifier: GPL-2.0-or-later
# Commands that users type: make help lists every target; if something needed for the build is missing, make names it
# and how to get it; changed flags rebuild the files that they affect; built programs have manual pages; installed files
# can be removed; if modules cannot be loaded, the demonstration reports why.
. "$TOP/tests/cli/expect.inc"
in_tree() { make -s -C "$TOP" --no-print-directory "$@"; }

# ---- make help ----
in_tree help > help || say_wrong 'make help'
sed -n '/^\.PHONY:/,/[^\\]$/p' "$TOP/Makefile" | sed 's/^\.PHONY://' | tr -d '\\' | tr -s ' \t' '\n' | grep . > targets
[ "$(wc -l < targets)" -gt 20 ] || say_wrong 'no targets'
# Names of rules without a file: a target that was forgotten in .PHONY as well.
sed -n 's/^\([a-z][a-z-]*\):.*/\1/p' "$TOP"/{Makefile,man/pages.mk,tests/tests.mk,tests/fuzz/fuzz.mk} \
	"$TOP"/packaging/install.mk >> targets
for target in $(sort -u targets); do
	grep -qE "(make |, |; )$target( |,|:|;|$)" help || say_wrong "make help lacks $target"
done

# ---- what is missing ----
mkdir -p less/bin
for dir in /usr/bin $([ -L /bin ] || echo /bin); do find $dir/ -mindepth 1 -exec ln -sf -t less/bin {} +; done
rm less/bin/{bison,flex}
check 2 "/something is missing; Debian's packages: bison flex\$" '/^make deps installs them' '!not found' -- \
	env "PATH=$PWD/less/bin" make -s -C "$TOP" "B=$PWD/b"
check 2 "/Debian's packages: libc6-dev libelf-dev .*libjansson-dev\$" '!rror: .*\.h' \
	-- make -s -C "$TOP" "B=$PWD/b" "CC=gcc -nostdinc -I$PWD/less"
check 2 "/Debian's packages: gcc\$" -- make -s -C "$TOP" "B=$PWD/b" CC=no-such-compiler
# Asked once, and not of packages: other distributions have no dpkg.
rm -f less/bin/dpkg*
ln -s "$(type -P bison)" "$(type -P flex)" less/bin/
check 0 -- env "PATH=$PWD/less/bin" make -s -C "$TOP" "B=$PWD/b" "$PWD/b/.complete"
[ -e b/.complete ] || say_wrong 'nothing says that nothing is missing'
# Not even a compiler, or pkg-config: nothing is said before that.
mkdir few
for program in awk bash cat cmp dirname echo find grep mkdir mv printf realpath rm sed sh touch tr uname; do
	ln -s "$(type -P $program)" few/
done
check 2 '!No such file' '!not found' '/^make deps ' -- env -i "PATH=$PWD/few" "$(type -P make)" -C "$TOP" "B=$PWD/none"
head -n 1 err | grep -q '^to build, something is missing.* gcc make ' || say_wrong 'the first line is another one'

# ---- the caller's flags: in each step; warnings are errors only when that is asked for ----
in_tree -n V=1 "B=$PWD/flags" CPPFLAGS=-DMINE CFLAGS=-O1 LDFLAGS=-Wl,-z,now all > steps 2> err || say_wrong 'make -n'
[ "$(grep -c ' -c -o ' steps)" -gt 200 ] || say_wrong 'no steps'
! grep ' -c -o ' steps | grep -v -- '-DMINE -O1' > out || say_wrong "compiled without the caller's flags"
! grep -E ' -o [^ ]*/bin/[a-z-]+ ' steps | grep -v -- '-O1 -Wl,-z,now' > out || say_wrong "linked without them"
! grep -- -Werror steps > out || say_wrong '-Werror without STRICT=1'
in_tree -n V=1 "B=$PWD/flags" STRICT=1 all > steps 2> err || say_wrong 'make -n STRICT=1'
! grep ' -c -o ' steps | grep -v -- -Werror > out || say_wrong 'STRICT=1 without -Werror'

# ---- flags are dependencies ----
# plan [FLAG]…: the objects, libraries and programs that make would make anew in old/
plan() {
	in_tree -n V=1 "B=$PWD/old" "$@" all static > steps 2> err || say_wrong "make -n $*"
	sed -nE "s|.* (-o\|rcs) $PWD/old/([^ ]+) .*|\\2|p" steps | grep -v '\.c$' | sort
}
plan > all
grep '\.o$' all > objects && grep '\.a$' all > libraries && grep -v '\.[ao]$' all > programs
[ "$(wc -l < objects)" -gt 200 ] && [ "$(wc -l < programs)" -ge 10 ] || say_wrong 'too little is made'
# As if all had been made: what is generated and the stamps are.
sed -nE "s|.* > ($PWD/old/flags/[^ ]+)\$|\\1|p" steps > stamps
xargs -a stamps make -s -C "$TOP" "B=$PWD/old" "$PWD"/old/translator/{parse/grammar.tab.c,parse/lex.yy.c,kinds.inc} \
	"$PWD"/old/trace/sink/{lket/hooks.def,flame.js.inc} \
	"$PWD"/old/exporter/page/{{page,uPlot}.css,{page,panels,timeline,uPlot}.js,page.html}.inc > out 2> err ||
	say_wrong 'stamps and what is generated'
(mkdir -p old && cd old && sed 's|[^/]*$||' ../all | sort -u | xargs mkdir -p && xargs touch < ../objects &&
	xargs touch < ../libraries && xargs touch < ../programs)
# anew FILE [FLAG]…: with these flags the files that are listed in FILE are made anew, and no others
anew() {
	plan "${@:2}" > planned
	diff "$1" planned > out || say_wrong "made anew with ${*:2} (<: expected)"
}
: > nothing
anew nothing
anew nothing STRICT=1
anew all 'CFLAGS=-O1 -DOTHER'
anew all CPPFLAGS=-DOTHER
anew all CC=gcc\ -DOTHER
anew all SANITIZE=address
anew programs LDFLAGS=-Wl,-z,now
readers='bin/stap bin/stap-merge bin/lket-b2a bin/stapio static/stapio'
while read -r name package users; do
	tr ' ' '\n' <<< "$users" | sort > users
	! "${PKG_CONFIG:-pkg-config}" --exists "$package" 2> err || anew users "HAVE_$name=n"
done <<END_USERS
SQLITE sqlite3 trace/sink/sqlite.o trace.a $readers
KAFKA rdkafka trace/sink/kafka.o trace/sink/kafkaurl.o merge/options.o trace.a $readers
LIBEDIT libedit stap/dialogue/line.o translator/base/version.o translator.a bin/stap bin/tapset-man
END_USERS
# A small program, in earnest, also with flags that a shell would take apart.
made() { make -C "$TOP" --no-print-directory "B=$PWD/small" "$@" "$PWD/small/bin/stap-container" > out 2> err; }
made CFLAGS=-O0 && grep -q 'CC.*main.o' out || say_wrong 'stap-container is not made'
made CFLAGS=-O0 && ! grep -E 'CC|LD' out || say_wrong 'it is made again with the same flags'
made CFLAGS=-O0 "CPPFLAGS=-DOTHER='\"it is \\\$\"'" && [ "$(grep -cE 'CC|LD' out)" -ge 4 ] ||
	say_wrong 'it is not made anew with other flags'
made CFLAGS=-O0 "CPPFLAGS=-DOTHER='\"it is \\\$\"'" && ! grep -E 'CC|LD' out ||
	say_wrong 'it is made again with the same quoted flags'
made 'CFLAGS=-O0 -no-such-flag' && say_wrong 'flags of no compiler are taken'
made CFLAGS=-O0 && grep -q 'CC.*main.o' out || say_wrong 'after a failure it is not made'

# ---- the manual pages of what was built ----
pages=$TOP/$B/share/man
{ cd "$TOP/man" && ls ./*.[1-9]*; cd "$TOP/$B/man" && ls ./*.3stap; } | sort > written
(cd "$pages" && find -L man? -type f -size +0) | sed 's|.*/|./|' | sort > there
diff written there > out || say_wrong "$pages has other pages (<: written, >: there)"
if type -P man > /dev/null; then
	for page in stap staprun stapprobes probe::vm.pagefault error::pass2; do
		check 0 "/^$TOP/$B/.*/$page\\.[0-9]" -- env "MANPATH=$pages:" man -w $page
	done
	check 0 '/^/.*/ls\.1' -- env "MANPATH=$pages:" man -w ls
fi
# What the demonstration says at its end, also of a place with a blank.
mkdir -p 'a b/bin' 'a b/share/man/man1' as
printf '.TH DEMONSTRATED 1\n' > 'a b/share/man/man1/demonstrated.1'
printf '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho 1 2 read > "$2"\n' > 'a b/bin/stap'
printf '#!/bin/sh\necho here\n' > as/hostname
chmod +x 'a b/bin/stap' as/hostname
check 0 '/^== next: ' -- env "PATH=$PWD/as:$PATH" "STAP=$PWD/a b/bin/stap" "$TOP/examples/app-trace/demo.sh" demo
grep '^export ' out > export || say_wrong 'the demonstration does not say what to export'
check 0 "/^$PWD/a b/bin/stap\$" "/^$PWD/a b/share/man:" -- sh -c '. ./export && command -v stap && echo "$MANPATH"'
(unset MAKELEVEL MAKEFLAGS MFLAGS; in_tree -n all) > out 2>&1 # the tests may be run by make, which is not to say it
tail -n 1 out | grep -qF 'export PATH=$PWD/build/bin:$PATH MANPATH=$PWD/build/share/man:$MANPATH' ||
	say_wrong 'make does not say at its end what to export'

# ---- install, uninstall ----
# -o: what is there is up to date.
in_tree -o all -o man install "DESTDIR=$PWD/into" prefix=/usr > out 2> err || say_wrong 'make install'
{ ls "$TOP/$B/bin" | grep -vE '^(static|tapset-man|fuzz-.*)$'; } | sort > built
ls into/usr/bin into/usr/libexec/stap | grep -vE '^(.*:|static|)$' | sort > installed
diff built installed > out || say_wrong 'what is built and what is installed differ'
cmp "$TOP/tapset/sourcefiles.txt" into/usr/share/stap/tapset/sourcefiles.txt > out 2>&1 ||
	say_wrong 'the functions of source files are not installed'
find into ! -type d -name '*.3stap' | grep -c probe:: > out
[ "$(cat out)" -gt 100 ] || say_wrong 'no pages of the library'
# Of a tree without the build, and without the library that one program needs.
check 0 -- make -s -C "$TOP" "B=$PWD/gone" HAVE_EXPORTER=n uninstall "DESTDIR=$PWD/into" prefix=/usr
find into ! -type d > out
[ ! -s out ] || say_wrong 'uninstall leaves something'

# ---- vm/takes-modules ----
machine() {
	mkdir -p m/proc/sys/kernel m/proc/self m/sys/module/module/parameters m/sys/kernel/security
	: > m/proc/modules
	echo 0 > m/proc/sys/kernel/modules_disabled
	echo N > m/sys/module/module/parameters/sig_enforce
	echo '[none] integrity confidentiality' > m/sys/kernel/security/lockdown
	printf 'CapEff:\t000001ffffffffff\n' > m/proc/self/status
}
takes() { check "$@" -- env "TAKES_MODULES_ROOT=$PWD/m" "$TOP/vm/takes-modules"; rm -r m; machine; }
if [ "$(uname -m)" = x86_64 ]; then
	machine && takes 0
	rm m/proc/modules && takes 1 '/^it is built without modules'
	echo 1 > m/proc/sys/kernel/modules_disabled && takes 1 '/^it takes no more modules'
	echo Y > m/sys/module/module/parameters/sig_enforce && takes 1 '/^it takes signed modules only'
	echo 'none [integrity] confidentiality' > m/sys/kernel/security/lockdown && takes 1 '/^it is locked down'
	printf 'CapEff:\t00000000a80425fb\n' > m/proc/self/status && takes 1 '/CAP_SYS_MODULE'
fi

# ---- tools/deps.sh: no kernel is among the packages, for no group ----
mkdir tools vm
cp "$TOP/tools/deps.sh" tools/
printf '#!/bin/sh\necho fetch-kernel >> "$LOG"\n' > tools/fetch-kernel
printf '#!/bin/sh\n[ "$TAKES" = yes ]\n' > vm/takes-modules
mkdir bin
printf '#!/bin/sh\nexit 1\n' > bin/dpkg-query
printf '#!/bin/sh\necho "apt-get $*" >> "$LOG"\n' > bin/apt-get
printf '#!/bin/sh\n[ "$KNOWN" = yes ]\n' > bin/apt-cache
printf '#!/bin/sh\ncase $1 in -u) echo 0 ;; esac\n' > bin/id
printf '#!/bin/sh\ncase $1 in -r) echo 9.9.9-own ;; *) exec /bin/uname "$@" ;; esac\n' > bin/uname
chmod +x tools/* vm/* bin/*
export LOG=$PWD/log
deps() { : > log; env "PATH=$PWD/bin:$PATH" "$@" > out 2> err || say_wrong "$*: $?"; cat log >> out; }
did() { grep -qE -- "$1" log || say_wrong "no line of the log: $1"; }
did_not() { ! grep -qE -- "$1" log || say_wrong "a line of the log: $1"; }
deps TAKES=no tools/deps.sh build where demo
did 'install .* qemu-system-x86 .* fio' && did '^fetch-kernel$' && did_not 'linux-(image|headers)'
deps TAKES=yes KNOWN=yes tools/deps.sh build where demo
did 'install .* linux-headers-9\.9\.9-own fio' && did_not 'linux-image|qemu' && did_not '^fetch-kernel$'
deps TAKES=yes KNOWN=no tools/deps.sh build where demo
did 'install .* qemu-system-x86 .* fio' && did '^fetch-kernel$' && did_not 'install .*linux-(image|headers)'
deps TAKES=yes KNOWN=yes tools/deps.sh build guest check
did 'install .* qemu-system-x86 .* iproute2' && did '^fetch-kernel$' && did_not 'linux-(image|headers)'
# Nor in any message or page.
! grep -rnE 'apt(-get)? install[^"]*linux-image|install linux-image' \
	"$TOP"/{vm,translator,tools,man,README.md,tests/lib.sh,tests/run,examples} > out ||
	say_wrong 'somebody is told to install a kernel'
finish
