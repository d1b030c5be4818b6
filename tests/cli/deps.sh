# SPDX-License-Identifier: GPL-2.0-or-later
# tools/deps.sh knows the names of packages in each release of Debian, and for other distributions also the command that
# installs them. dpkg and apt are stand-ins here.
. "$TOP/tests/cli/expect.inc"

mkdir tools vm bin less headers
cp "$TOP/tools/deps.sh" tools/
printf '#!/bin/sh\necho fetched\n' > tools/fetch-kernel
printf '#!/bin/sh\n[ "$TAKES" = yes ]\n' > vm/takes-modules
printf '#!/bin/sh\n[ -z "$INSTALLED" ] || printf "ii  %%s\\n" $INSTALLED\n' > bin/dpkg-query
printf '#!/bin/sh\ncase $1 in pkgnames) printf "%%s\\n" $KNOWN ;; *) exit 1 ;; esac\n' > bin/apt-cache
printf '#!/bin/sh\nexit 100\n' > bin/apt-get
printf '#!/bin/sh\ncase $1 in -u) echo 1000 ;; *) exec /usr/bin/id "$@" ;; esac\n' > bin/id
printf '#!/bin/sh\ncase $1 in -r) echo 9.9.9-1.own ;; *) exec /bin/uname "$@" ;; esac\n' > bin/uname
printf '#!/bin/sh\n[ "$1" != -dumpversion ] || { echo 12; exit; }\nexec /usr/bin/gcc -nostdinc -I"%s/headers" "$@"\n' "$PWD" > bin/gcc
chmod +x tools/* vm/* bin/*

# ---- other distributions ----
# os NAME LINE…: its os-release
os() { printf '%s\n' "NAME=\"some Linux\"" "${@:2}" > "$1.os"; }
os fedora 'ID=fedora' 'VERSION_ID=42'
os rocky 'ID="rocky"' 'ID_LIKE="rhel centos fedora"'
os tumbleweed 'ID="opensuse-tumbleweed"' 'ID_LIKE="opensuse suse"'
os sles 'ID="sles"' 'ID_LIKE="suse"'
os arch 'ID=arch'
os cachyos 'ID=cachyos' 'ID_LIKE=arch'
os debian 'ID=debian'
os mint 'ID=linuxmint' 'ID_LIKE="ubuntu debian"'
os unknown 'ID=strange'
# Without these programs, nor any package manager.
for file in /usr/bin/* /bin/*; do
	case ${file##*/} in
	bison | flex | dpkg* | apt* | pkg-config | fio | hostname | man | qemu-* | busybox | gcc | uname | id) ;;
	*) ln -sf "$file" less/ ;;
	esac
done
ln -s "$PWD/bin/gcc" "$PWD/bin/uname" less/
for program in make cpio zstd xz modinfo virtiofsd; do ln -sf /bin/true less/$program; done
for header in stdio.h gelf.h lz4.h zstd.h lzma.h zlib.h openssl/evp.h seccomp.h jansson.h curses.h histedit.h yaml.h \
	crypt.h microhttpd.h; do
	mkdir -p "headers/$(dirname "$header")"
	touch "headers/$header"
done

# named OS STATUS TEXT GROUP…: what is said of these groups, in a distribution
named() {
	local os=$1 status=$2 text=$3
	shift 3
	env "PATH=$PWD/less" "TAKES=${TAKES-}" tools/deps.sh --os-release "$os.os" "$@" > out 2>&1
	[ $? = "$status" ] || say_wrong "$os $*: not status $status"
	[ "$(cat out)" = "$text" ] || say_wrong "$os $*: expected: $text"
}
for os in fedora rocky; do
	named $os 3 "packages are missing; as root: dnf install bison flex pkgconf-pkg-config elfutils-devel \
libcap-ng-devel sqlite-devel" build
	named $os 3 "to build, something is missing; Fedora's packages: bison flex elfutils-devel libcap-ng-devel
as root: dnf install bison flex elfutils-devel libcap-ng-devel" --built-with gcc
done
for os in tumbleweed sles; do
	named $os 3 "packages are missing; as root: zypper install bison flex pkgconf-pkg-config libdw-devel \
libcap-ng-devel sqlite3-devel" build
	named $os 3 "to build, something is missing; SUSE's packages: bison flex libdw-devel libcap-ng-devel
as root: zypper install bison flex libdw-devel libcap-ng-devel" --built-with gcc
done
for os in arch cachyos; do
	named $os 3 "packages are missing; as root: pacman -S --needed bison flex pkgconf libelf libcap-ng sqlite" build
	named $os 3 "to build, something is missing; Arch's packages: bison flex libelf libcap-ng
as root: pacman -S --needed bison flex libelf libcap-ng" --built-with gcc
done
for os in debian mint unknown; do
	named $os 3 "to build, something is missing; Debian's packages: bison flex libdw-dev libcap-ng-dev
make deps installs them, as root" --built-with gcc
done
named fedora 3 "packages are missing; as root: dnf install qemu-system-x86-core busybox fio hostname man-db" where demo
TAKES=yes named fedora 3 "packages are missing; as root: dnf install kernel-devel-9.9.9-1.own" where
TAKES=yes named tumbleweed 3 "packages are missing; as root: zypper install kernel-default-devel" own
TAKES=yes named arch 3 "packages are missing; as root: pacman -S --needed linux-headers" own
named arch 2 "tools/deps.sh: no group is called 'nothing'" build nothing
# Once nothing is missing the guest's kernel is fetched.
for program in bison flex pkg-config fio hostname man qemu-system-x86_64 busybox; do
	ln -sf /bin/true less/$program
done
for header in elfutils/libdwfl.h cap-ng.h sqlite3.h; do mkdir -p headers/elfutils && touch headers/$header; done
named fedora 0 fetched build where demo
named fedora 0 '' --built-with gcc

# ---- releases of Debian, and who descends from it ----
# names WANTED GROUP…: the packages that would be installed; KNOWN are those that the release has, INSTALLED as well
names() {
	local wanted=$1
	shift
	KNOWN=${KNOWN//$'\n'/ } INSTALLED=${INSTALLED-} env "PATH=$PWD/bin:$PATH" \
		tools/deps.sh --os-release "${OS:-debian}.os" "$@" > out 2>&1
	for name in $wanted; do
		case $name in
		-*) ! grep -qwE -- "${name#-}( |\$)" out || say_wrong "$* with ${name#-}" ;;
		*) grep -qE -- " ${name}( |\$)" out || say_wrong "$* without $name" ;;
		esac
	done
}
export KNOWN INSTALLED
bookworm='gcc libicu72 libldap-2.5-0 libxml2 libzypp1722 libaio1 libreadline8 dwarves qemu-system-common libassuan0
	libsubid4 postgresql-15 default-jdk-headless'
trixie='gcc libicu76 libldap2 libxml2 libzypp1735 libaio1t64 libreadline8t64 dwarves pahole qemu-system-common
	virtiofsd libassuan9 libsubid5 postgresql-17 default-jdk-headless'
sid='gcc libicu76 libicu78 libldap2 libxml2-16 libzypp1735 libaio1t64 libreadline8t64 pahole qemu-system-common virtiofsd'
KNOWN=$bookworm names 'libicu72 libldap-2.5-0 libxml2 libzypp1722 libaio1 libreadline8 -libaio1t64' ci
KNOWN=$trixie names 'libicu76 libldap2 libxml2 libzypp1735 libaio1t64 libreadline8t64 -libaio1' ci
OS=mint KNOWN=$trixie names 'libicu76 libldap2 libxml2 libzypp1735 libaio1t64 libreadline8t64 -libaio1' ci
KNOWN=$sid names 'libicu78 -libicu76 libldap2 libxml2-16 libaio1t64' ci
KNOWN=$bookworm names 'qemu-system-common -virtiofsd dwarves -pahole' guest check
KNOWN=$trixie names 'qemu-system-common virtiofsd pahole -dwarves' guest check
# Without lists the newest names are asked for.
KNOWN= names 'virtiofsd pahole libldap2' guest check ci
# Installed is what is installed by any of its names: then nothing is asked of apt.
grep -o 'apt-get install .*' out > all
for name in $(sed 's/.*recommends //' all); do
	case $name in
	libaio1 | libreadline8) name+=t64 ;;
	*'#') name=${name%?}9 ;;
	esac
	INSTALLED+="$name "
done
KNOWN=$trixie INSTALLED=$INSTALLED names '-install' guest check ci
grep -qx fetched out || say_wrong 'not whole'
# The libraries behind README's second page are built by make demo.
INSTALLED= names 'libncurses-dev libedit-dev libsqlite3-dev pkg-config libmicrohttpd-dev libyaml-dev libcrypt-dev man-db' \
	build demo
finish
