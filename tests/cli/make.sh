# SPDX-License-Identifier: GPL-2.0-or-later
# What users type: make help lists every target; without what building takes make says what, and how to get it; where
# modules cannot be loaded the demonstration knows why.
. "$TOP/tests/cli/expect.inc"
in_tree() { make -s -C "$TOP" --no-print-directory "$@"; }

# ---- make help ----
in_tree help > help || say_wrong 'make help'
sed -n '/^\.PHONY:/,/[^\\]$/p' "$TOP/Makefile" | sed 's/^\.PHONY://' | tr -d '\\' | tr -s ' \t' '\n' | grep . > targets
[ "$(wc -l < targets)" -gt 20 ] || say_wrong 'no targets'
# Names of rules without a file: a target that was forgotten in .PHONY as well.
sed -n 's/^\([a-z][a-z-]*\):.*/\1/p' "$TOP/Makefile" >> targets
for target in $(sort -u targets); do
	grep -qE "(make |, |; )$target( |,|:|;|$)" help || say_wrong "make help lacks $target"
done

# ---- what is missing ----
mkdir -p less/bin
for file in /usr/bin/* /bin/*; do
	case ${file##*/} in bison | flex) ;; *) ln -sf "$file" less/bin/ ;; esac
done
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

# ---- the caller's flags: in each step; warnings are errors only when that is asked for ----
in_tree -n V=1 "B=$PWD/flags" CPPFLAGS=-DMINE CFLAGS=-O1 LDFLAGS=-Wl,-z,now all > steps 2> err || say_wrong 'make -n'
[ "$(grep -c ' -c -o ' steps)" -gt 200 ] || say_wrong 'no steps'
! grep ' -c -o ' steps | grep -v -- '-DMINE -O1' > out || say_wrong "compiled without the caller's flags"
! grep -E ' -o [^ ]*/bin/[a-z-]+ ' steps | grep -v -- '-O1 -Wl,-z,now' > out || say_wrong "linked without them"
! grep -- -Werror steps > out || say_wrong '-Werror without STRICT=1'
in_tree -n V=1 "B=$PWD/flags" STRICT=1 all > steps 2> err || say_wrong 'make -n STRICT=1'
! grep ' -c -o ' steps | grep -v -- -Werror > out || say_wrong 'STRICT=1 without -Werror'

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
