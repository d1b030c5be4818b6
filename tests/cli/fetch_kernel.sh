# SPDX-License-Identifier: GPL-2.0-or-later
# tools/fetch-kernel unpacks a kernel and its headers outside the machine's own files: here from our own packages, with
# a stand-in for apt.
# guards: tools/fetch-kernel tools/fetch translator/kernel
. "$TOP/tests/cli/expect.inc"
fetch=$TOP/tools/fetch-kernel
mkdir bin repo
export REPO=$PWD/repo APT_LOG=$PWD/apt.log

# package NAME VERSION DEPENDS: out of ./files
package() {
	mkdir -p files/DEBIAN
	printf 'Package: %s\nVersion: %s\nArchitecture: amd64\nMaintainer: none\n%sDescription: none\n' "$1" "$2" \
		"${3:+Depends: $3$'\n'}" > files/DEBIAN/control
	dpkg-deb --root-owner-group -b files "repo/$1_$2_amd64.deb" > /dev/null
	rm -rf files
}

# kernel RELEASE VERSION [MERGED]: the packages of one, as Debian cuts them; from Debian 13 on without /lib
kernel() {
	local headers=files/usr/src/linux-headers-$1
	mkdir -p "files/lib/modules/$1/kernel" files/boot files/usr/share/doc
	echo "image $2" > "files/boot/vmlinuz-$1"
	echo config > "files/boot/config-$1"
	touch "files/lib/modules/$1/modules.order" "files/lib/modules/$1/modules.builtin" files/usr/share/doc/x
	package "linux-image-$1" "$2" 'kmod, linux-base (>= 4.3~), initramfs-tools | linux-initramfs-tool'
	mkdir -p "$headers/include/config" "files/lib/modules/$1"
	echo "CONFIG_CC_VERSION_TEXT=\"${compiler:-sh} (none) 1\"" > "$headers/.config"
	touch "$headers/include/config/auto.conf"
	echo "include /usr/src/linux-headers-${1%-*}-common/Makefile" > "$headers/Makefile"
	ln -s ../../lib/linux-kbuild-9/scripts "$headers/scripts"
	ln -s "/usr/src/linux-headers-$1" "files/lib/modules/$1/build"
	ln -s "/usr/src/linux-headers-${1%-*}-common" "files/lib/modules/$1/source"
	if [ "${3-}" = MERGED ]; then
		mkdir -p files/usr/lib
		mv files/lib/modules files/usr/lib/
		for name in build source; do
			path=$(readlink "files/usr/lib/modules/$1/$name")
			ln -sfn "../../../${path#/usr/}" "files/usr/lib/modules/$1/$name"
		done
		ln -s "../$1/source" "files/usr/lib/modules/$1/within"
	fi
	package "linux-headers-$1" "$2" \
		"linux-headers-${1%-*}-common (= $2), linux-image-$1 (= $2) | linux-image-$1-unsigned (= $2), linux-kbuild-9 (>= $2), linux-compiler-gcc-12-x86"
	mkdir -p "files/usr/src/linux-headers-${1%-*}-common"
	echo 'all:; @echo $(CURDIR)' > "files/usr/src/linux-headers-${1%-*}-common/Makefile"
	package "linux-headers-${1%-*}-common" "$2"
	mkdir -p files/usr/lib/linux-kbuild-9/scripts
	echo "scripts $2" > files/usr/lib/linux-kbuild-9/scripts/x
	package linux-kbuild-9 "$2"
	mkdir -p files/usr/lib/debug/boot "files/usr/lib/debug/lib/modules/$1"
	echo debug > "files/usr/lib/debug/boot/vmlinux-$1"
	ln -s "../../../boot/vmlinux-$1" "files/usr/lib/debug/lib/modules/$1/vmlinux"
	package "linux-image-$1-dbg" "$2"
	package linux-image-small "$2" "linux-image-$1 (= $2)"
	package linux-headers-small "$2" "linux-headers-$1 (= $2)"
}

# split RELEASE VERSION: the packages of one as Debian cuts them since 6.19: linux-image-RELEASE has no file of its own,
# linux-binary-RELEASE has the image, beside the modules
split() {
	local modules=files/usr/lib/modules/$1
	kernel "$1" "$2" MERGED
	mkdir -p "$modules"
	echo "image $2" > "$modules/vmlinuz"
	echo config > "$modules/config"
	package "linux-binary-$1" "$2"
	mkdir -p "$modules/kernel"
	touch "$modules/modules.order" "$modules/modules.builtin"
	package "linux-modules-$1" "$2" kmod
	mkdir -p files/usr/share/doc
	package "linux-image-$1" "$2" "linux-binary-$1 (= $2), linux-modules-$1 (= $2)"
}

cat > bin/apt-cache << 'END'
#!/bin/sh
# show --no-all-versions PACKAGE
echo "show $3" >> "$APT_LOG"
newest=$(ls "$REPO/lists/$3"_*.deb 2> /dev/null | sort -V | tail -n 1)
[ -n "$newest" ] || { echo "N: no packages found" >&2; exit 100; }
dpkg-deb -f "$newest"
echo "Size: $(stat -c %s "$newest")"
END
cat > bin/apt-get << 'END'
#!/bin/sh
simulated=0
[ "$2" != -s ] || simulated=1
while [ "$1" != download ] && [ "$1" != update ] && [ "$1" != install ]; do shift; done
echo "$*" >> "$APT_LOG"
case $1 in
update) rm -rf "$REPO/lists"; mkdir "$REPO/lists"; ln "$REPO"/*.deb "$REPO/lists" ;;
download)
	[ ! -e "$REPO/no-network" ] || {
		echo "E: Failed to fetch http://deb.debian.org/x.deb  Temporary failure resolving 'deb.debian.org'" >&2
		exit 100
	}
	cp "$REPO/${2%%=*}_${2#*=}_amd64.deb" .
	;;
install)
	[ $simulated = 0 ] || { [ ! -e "$REPO/newer" ] || cat "$REPO/newer"; exit; }
	exit 1
	;;
esac
END
chmod +x bin/*
run() { : > "$APT_LOG"; PATH=$PWD/bin:$PATH "$fetch" --manager apt --into "$PWD/kernels" "$@"; }
# did TEXT COUNT: so often apt was asked for this
did() { [ "$(grep -c -- "$1" "$APT_LOG")" = "$2" ] || fail "apt: '$1' not $2 times" "$APT_LOG"; }
fail() { cat "$2"; echo "$1"; exit 1; }
holds() { for f; do [ -e "kernels/$f" ] || { echo "no $f"; find kernels; exit 1; }; done; }
lacks() { for f; do [ ! -e "kernels/$f" ] || { echo "still $f"; exit 1; }; done; }

# Lists are fetched where there are none.
kernel 9.0.0-1-small 9.0.1
if [ "$(id -u)" = 0 ]; then
	run linux-image-small > out 2>&1 || fail "the first time" out
	did '^update' 1
fi
PATH=$PWD/bin:$PATH apt-get update
run linux-image-small > out 2>&1 || fail "the first time" out
holds boot/{vmlinuz,config}-9.0.0-1-small lib/modules/9.0.0-1-small/{kernel,modules.dep,source} \
	lib/modules/9.0.0-1-small/build/{scripts/x,include/config/auto.conf} usr/lib/linux-kbuild-9
lacks usr/share usr/lib/debug
[ "$(make -s -C kernels/lib/modules/9.0.0-1-small/build)" = "$PWD/kernels/usr/src/linux-headers-9.0.0-1-small" ] ||
	fail "the build directory does not work" out
# It may be moved.
mv kernels moved && holds_moved=$(make -s -C moved/lib/modules/9.0.0-1-small/build) && mv moved kernels
[ "$holds_moved" = "$PWD/moved/usr/src/linux-headers-9.0.0-1-small" ] || fail "the tree cannot be moved" out

# Again: nothing, also where apt has no lists any more.
run linux-image-small > out 2>&1 && [ ! -s out ] || fail "again" out
did . 1
mv repo/lists repo/none
run linux-image-small > out 2>&1 && [ ! -s out ] || fail "without lists" out
mv repo/none repo/lists

# Debuginfo when it is asked for, and it stays.
run --debuginfo linux-image-small > out 2>&1 || fail "debuginfo" out
did '^download' 1
holds usr/lib/debug/boot/vmlinux-9.0.0-1-small usr/lib/debug/lib/modules/9.0.0-1-small/vmlinux
run --debuginfo linux-image-small > out 2>&1 && [ ! -s out ] || fail "debuginfo again" out

# Something that is gone comes again, and only that.
rm -rf kernels/usr/src/linux-headers-9.0.0-1-common
run linux-image-small > out 2>&1 || fail "a part was gone" out
did '^download' 1
holds usr/src/linux-headers-9.0.0-1-common/Makefile usr/lib/debug/boot/vmlinux-9.0.0-1-small

# A download that breaks off leaves no kernel that counts.
rm -rf kernels/boot
mv repo/linux-image-9.0.0-1-small_9.0.1_amd64.deb image
printf 'broken' > repo/linux-image-9.0.0-1-small_9.0.1_amd64.deb
! run linux-image-small > out 2>&1 || fail "a broken package was taken" out
lacks boot/vmlinuz-9.0.0-1-small
mv image repo/linux-image-9.0.0-1-small_9.0.1_amd64.deb
run linux-image-small > out 2>&1 || fail "after a broken one" out
holds boot/vmlinuz-9.0.0-1-small

# By its own name it is a request of its own; a newer one then replaces what only the other led to.
run linux-image-9.0.0-1-small > out 2>&1 || fail "by its own name" out
did '^download' 0
package linux-image-9.0-small 9.0.1 'linux-image-9.0.0-1-small (= 9.0.1)'
PATH=$PWD/bin:$PATH apt-get update
run linux-image-9.0-small > out 2>&1 || fail "by its version's name" out
did '^download' 0
kernel 9.0.0-2-small 9.0.2
PATH=$PWD/bin:$PATH apt-get update
run linux-image-small > out 2>&1 || fail "a newer one" out
holds boot/vmlinuz-9.0.0-{1,2}-small lib/modules/9.0.0-2-small/build/Makefile
grep -q 'scripts 9.0.2' kernels/usr/lib/linux-kbuild-9/scripts/x || fail "the scripts are old" out
kernel 9.0.0-3-small 9.0.3 MERGED
PATH=$PWD/bin:$PATH apt-get update
run linux-image-small > out 2>&1 || fail "a third one" out
holds boot/vmlinuz-9.0.0-{1,3}-small lib/modules/9.0.0-3-small/{build/include,source,within}/
lacks boot/vmlinuz-9.0.0-2-small lib/modules/9.0.0-2-small usr/src/linux-headers-9.0.0-2-{small,common}
lacks .new.*
split 9.0.0-4-small 9.0.4
PATH=$PWD/bin:$PATH apt-get update
run linux-image-small > out 2>&1 || fail "one in several packages" out
holds lib/modules/9.0.0-4-small/{vmlinuz,config,kernel,modules.dep,build/Makefile}
: > "$APT_LOG"
run linux-image-small > out 2>&1 || fail "one in several packages, again" out
did '^download' 0
rm -rf kernels/lib/modules/9.0.0-4-small/vmlinuz
run linux-image-small > out 2>&1 || fail "its image was gone" out
did '^download' 1
holds lib/modules/9.0.0-4-small/vmlinuz

# The headers alone: of a kernel or the newest of a kind; two who want them at once get them once.
alone() { PATH=$PWD/bin:$PATH "$fetch" --manager apt --into "$PWD/alone" "$@"; }
: > "$APT_LOG"
alone linux-headers-small > out 2>&1 & first=$!
alone linux-headers-small > out2 2>&1 || fail "headers of the newest" out2
wait $first || fail "headers of the newest" out
did '^download' 3
[ "$(make -s -C alone/lib/modules/9.0.0-4-small/build)" = "$PWD/alone/usr/src/linux-headers-9.0.0-4-small" ] ||
	fail "the headers do not work" out
alone linux-headers-9.0.0-1-small > out 2>&1 || fail "headers of a kernel" out
[ -e alone/lib/modules/9.0.0-1-small/build/Makefile ] && [ ! -e alone/boot ] || fail "a kernel came, too" out
# Its kernel may come later.
: > "$APT_LOG"
alone linux-image-9.0.0-1-small > out 2>&1 || fail "a kernel for its headers" out
did '^download' 1
[ -e alone/lib/modules/9.0.0-1-small/modules.dep ] && [ -e alone/lib/modules/9.0.0-1-small/build/Makefile ] ||
	fail "a kernel for its headers" out
# Who may not write to the usual place has one below the home directory.
if [ "$(id -u)" = 0 ] && type -P setpriv > /dev/null; then
	own=$(mktemp -d /tmp/stap-fetch.XXXXXX)
	chmod 755 "$own"
	mkdir -p "$own/program" "$own/home"
	cp -r "$fetch" "$TOP/tools/fetch" "$own/program/"
	cp -r bin "$own/bin"
	cp -r repo "$own/repo"
	chmod -R a+rX "$own"
	: > "$own/log"
	chmod 666 "$own/log"
	chown 65534 "$own/home"
	as_user=(setpriv --reuid 65534 --clear-groups env -C / -u SYSTEMTAP_DIR TMPDIR=/tmp REPO="$own/repo"
		APT_LOG="$own/log" HOME="$own/home" PATH="$own/bin:$PATH" "$own/program/fetch-kernel" --manager apt)
	"${as_user[@]}" linux-headers-small > out 2>&1 || fail "an ordinary user" out
	[ -e "$own/home/.systemtap/kernels/lib/modules/9.0.0-4-small/build/Makefile" ] || fail "not in the home" out
	touch "$own/repo/no-network"
	check 3 "/^fetch-kernel: cannot get linux-image-small: apt does not reach its server; is there a network\?" \
		"/Temporary failure resolving" '!apt-get update' -- "${as_user[@]}" linux-image-small
	check 3 "/^fetch-kernel: cannot get linux-image-none; where apt's lists are missing or old, as root: apt-get update" \
		-- "${as_user[@]}" linux-image-none
	rm -rf "$own"
fi
touch repo/no-network
check 3 '/cannot get linux-headers-9.0.0-2-small: apt does not reach its server' \
	-- env "PATH=$PWD/bin:$PATH" "$fetch" --manager apt --into "$PWD/alone" linux-headers-9.0.0-2-small
rm repo/no-network

# A compiler is installed beside what is there, never in place of it.
if [ "$(id -u)" = 0 ]; then
	compiler=gcc-99 kernel 9.2.0-1-small 9.2.1
	rm -rf repo/lists
	printf 'Inst libc6 [2.36] (2.43 Debian [amd64])\nInst gcc-99 (99 Debian [amd64])\nRemv libc6-dev [2.36]\n' > repo/newer
	check 0 '/^fetch-kernel: to build modules for this kernel: apt-get install gcc-99$' \
		'/it was not installed, because it would upgrade or remove packages: libc6 libc6-dev$' \
		-- env "PATH=$PWD/bin:$PATH" "$fetch" --manager apt --into "$PWD/newer" linux-headers-9.2.0-1-small
	did '^install' 1
	rm -r repo/newer newer
	check 3 '/could not install gcc-99, the compiler of kernel 9.2.0-1-small$' \
		-- env "PATH=$PWD/bin:$PATH" "$fetch" --manager apt --into "$PWD/newer" linux-headers-9.2.0-1-small
fi

# Errors; for a kernel that is not in the lists any more, the place that keeps it.
check 3 '/^fetch-kernel: cannot get linux-image-none' '!snapshot' \
	-- env "PATH=$PWD/bin:$PATH" "$fetch" --manager apt --into "$PWD/kernels" linux-image-none
if [ "$(id -u)" = 0 ]; then
	check 3 "/^fetch-kernel: cannot get linux-image-9\.1\.0-1-small: apt's lists do not have it \(any more\): https://(snapshot\.debian\.org|launchpad\.net)[^ ]* keeps [DU].* old kernels$" \
		-- env "PATH=$PWD/bin:$PATH" "$fetch" --manager apt --into "$PWD/kernels" linux-image-9.1.0-1-small
fi
check 2 "/'vim' is not a package of a kernel or its headers: linux-image-" \
	-- "$fetch" --manager apt --into "$PWD/kernels" vim
check 2 '/--debuginfo is that of a kernel: linux-image-9.0$' -- "$fetch" --manager apt --debuginfo linux-headers-9.0
check 2 '/unknown option --boot; fetch-kernel --help lists them' -- "$fetch" --boot
check 2 '/no package manager none is known: .*apt' -- "$fetch" --manager none
check 2 '/--manager needs a name' -- "$fetch" --manager
# Installed, it finds its parts as well; without them it says so.
mkdir -p prefix/bin prefix/share/stap
cp "$fetch" prefix/bin/stap-fetch-kernel
check 3 '/^stap-fetch-kernel: fetch/, a part of stap-fetch-kernel, is missing next to it' -- prefix/bin/stap-fetch-kernel
cp -r "$TOP/tools/fetch" prefix/share/stap/
check 0 '/^Usage: stap-fetch-kernel .*--manager' '/default: linux-image-' \
	-- prefix/bin/stap-fetch-kernel --manager apt --help
finish
