#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# deps.sh GROUP…: installs the packages that the named groups need and that are missing, by apt.
# deps.sh --built-with CC: lists what is missing to build, by looking for programs and headers, not at packages.
#
# On distributions of Fedora, SUSE and Arch the first form names the packages and the command that installs them, and
# ends with status 3. --os-release FILE, before all else, is read instead of this machine's os-release(5).
set -euo pipefail
here=$(dirname "$(realpath "$0")")

# Packages by the program or header that shows them: the group, what shows it, then the names in Debian, Fedora, SUSE
# and Arch. "must": stap is not built without it; "may": libraries for line editing in -i, for --monitor, for --to
# sqlite and for the exporter.
table() {
	cat <<'END'
must   CC                     gcc                 gcc                    gcc                 gcc
must   stdio.h                libc6-dev           glibc-devel            glibc-devel         glibc
must   make                   make                make                   make                make
must   bison                  bison               bison                  bison               bison
must   flex                   flex                flex                   flex                flex
must   gelf.h                 libelf-dev          elfutils-libelf-devel  libelf-devel        libelf
must   elfutils/libdwfl.h     libdw-dev           elfutils-devel         libdw-devel         libelf
must   lz4.h                  liblz4-dev          lz4-devel              liblz4-devel        lz4
must   zstd.h                 libzstd-dev         libzstd-devel          libzstd-devel       zstd
must   lzma.h                 liblzma-dev         xz-devel               xz-devel            xz
must   zlib.h                 zlib1g-dev          zlib-devel             zlib-devel          zlib
must   openssl/evp.h          libssl-dev          openssl-devel          libopenssl-devel    openssl
must   cap-ng.h               libcap-ng-dev       libcap-ng-devel        libcap-ng-devel     libcap-ng
must   seccomp.h              libseccomp-dev      libseccomp-devel       libseccomp-devel    libseccomp
must   jansson.h              libjansson-dev      jansson-devel          libjansson-devel    jansson
may    pkg-config             pkg-config          pkgconf-pkg-config     pkgconf-pkg-config  pkgconf
may    curses.h               libncurses-dev      ncurses-devel          ncurses-devel       ncurses
may    histedit.h             libedit-dev         libedit-devel          libedit-devel       libedit
may    sqlite3.h              libsqlite3-dev      sqlite-devel           sqlite3-devel       sqlite
may    microhttpd.h           libmicrohttpd-dev   libmicrohttpd-devel    libmicrohttpd-devel libmicrohttpd
may    yaml.h                 libyaml-dev         libyaml-devel          libyaml-devel       libyaml
may    crypt.h                libcrypt-dev        libxcrypt-devel        libxcrypt-devel     libxcrypt
guest  qemu-system-x86_64     qemu-system-x86     qemu-system-x86-core   qemu-x86            qemu-system-x86
guest  virtiofsd              virtiofsd|qemu-system-common virtiofsd      virtiofsd           virtiofsd
guest  busybox                busybox-static      busybox                busybox-static      busybox
guest  cpio                   cpio                cpio                   cpio                cpio
guest  zstd                   zstd                zstd                   zstd                zstd
guest  xz                     xz-utils            xz                     xz                  xz
guest  modinfo                kmod                kmod                   kmod                kmod
demo   fio                    fio                 fio                    fio                 fio
demo   hostname               hostname            hostname               hostname            inetutils
demo   man                    man-db              man-db                 man                 man-db
own    HEADERS                linux-headers-%R    kernel-devel-%R        kernel-%F-devel     linux-headers
END
}

# ---- groups, by the names of Debian and its descendants ----
#
# "a|b": the first of these that the release has. "NAME#": NAME and a number, of which releases have different ones:
# the highest. A name stands for its package of 64-bit time, NAMEt64, too.

# A guest needs QEMU with virtiofsd, which qemu-system-common had in Debian 12, the parts of its first process, and
# kmod, which lists the modules of an unpacked kernel. "man stap" belongs to the demonstration.
build=() guest=(qemu-system-common) demo=()
while read -r group _ package _; do
	case $group in
	must | may) build+=("$package") ;;
	guest) guest+=("$package") ;;
	demo) demo+=("$package") ;;
	esac
done < <(table)
# The headers of this machine's kernel.
own=("linux-headers-$(uname -r)")
# Man pages are checked by rendering them, by mandoc into a site; pkill for the tests that kill; programs in C++ to be
# probed; modules are signed with openssl, and staprun gets capabilities by setcap; programs in Python make the system
# calls, the packets and the namespaces of the network that ip sets up; modules of the tests are built by kbuild, which
# wants pahole for some kernels; file systems are made.
check=(man-db mandoc perl procps g++ openssl libcap2-bin python3 iproute2 kmod libpq-dev librdkafka-dev libmariadb-dev
	libkdumpfile-dev curl e2fsprogs "pahole|dwarves")
# For packages, of Debian's kind and of rpm's.
deb=(build-essential debhelper libpq-dev librdkafka-dev libmariadb-dev libkdumpfile-dev)
rpm=(rpm)
# For modules and guests of arm64: a compiler and an emulator; tools/foreign-tree has the rest.
arm64=(gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross gcc-arm-linux-gnueabihf libc6-dev-armhf-cross
	qemu-system-arm)
# What makes programs for 32 bits; the package gcc-multilib, which stands for it, excludes each cross compiler.
version=$(gcc -dumpversion 2> /dev/null ||
	apt-cache depends gcc 2> /dev/null | sed -nE 's/.*Depends: gcc-([0-9]+)$/\1/p' || :)
multilib=gcc-${version:-12}-multilib
# For CI=true, where no test may be skipped: strace shows system calls, and delays them; there are programs for
# 32 bits; Java is traced; debuginfo is asked for; the libraries are those of PostgreSQL, which is traced as well; a
# guest boots with Secure Boot; zsh and fish complete command lines; what --to makes is read by sqlite3, babeltrace2,
# protoc and tcpdump, and --json is held against its schema; the manifest for Kubernetes is read; packages are built
# and installed; fio is the load of a test of LKET; four are of MariaDB's server; two connect to other machines, and
# say which there are; makedumpfile makes its forms of a dump; bubblewrap runs a program in namespaces; vim and
# emacs colour scripts, and neovim asks the language server; pexpect drives stap -i; programs in Go
# are traced; clang makes programs of --runtime=bpf, and with libc++, and compares types; dnf and zypper get kernels
# out of repositories that are made.
ci=(strace "$multilib" default-jdk-headless libdebuginfod1 libpq5 "libldap2|libldap-2.5-0" "libicu#"
	"libxml2|libxml2-#" libgssapi-krb5-2
	libpam0g libreadline8 tzdata ovmf sbsigntool zsh fish sqlite3 babeltrace2 protobuf-compiler tcpdump
	python3-jsonschema python3-yaml python3-pexpect "${deb[@]}" "${arm64[@]}" fio liburing2 libaio1 libnuma1
	libedit2 openssh-client libwrap0 clustershell makedumpfile bubblewrap vim emacs-nox neovim golang-go
	"clang-19|clang" "clang-format-14|clang-format" dnf dnf-plugins-core createrepo-c "libzypp#" libaugeas0
	clang libc++-dev libc++abi-dev "${rpm[@]}")
# Groups of users come with a package, made by a program that is in systemd or stands alone.
type -P systemd-sysusers > /dev/null || ci+=(systemd-standalone-sysusers)
# For SLOW=1: make check in an empty Debian, and packages installed in one; a browser shows flame graphs; packages are
# signed.
slow=(debootstrap "${deb[@]}" lintian devscripts file chromium gpg gpg-agent rpmlint rpm2cpio)
# In node the protocol library of VS Code, which comes with its client library, asks the language server; node may be
# of another packager's.
type -P node npm > /dev/null || slow+=(nodejs npm)
client=vscode-languageclient@9.0.1
# The work under which `make sweep` probes.
sweep=(stress-ng fio rt-tests iproute2 python3)
# To fuzz: libFuzzer comes with clang; the seeds are made by a program in Python.
fuzz=(clang afl++ python3)
# To build a kernel (tools/debug-kernel), and one with clang.
debug_kernel=(gcc make bc bison flex libelf-dev libssl-dev "pahole|dwarves" xz-utils kmod cpio rsync openssl python3)
clang_kernel=("${debug_kernel[@]}" clang-19 lld-19 llvm-19)
# Packages that would start a service when installed, or, as containers of podman, change how the machine works: they
# are unpacked, and tests/lib.sh and the tests know where. sshd is that of machines of --remote; zypper excludes
# dnf-plugins-core.
ci_unpacked=(openssh-server "postgresql-#" "postgresql-client-#" mariadb-server-core mariadb-client-core
	podman conmon crun zypper golang-github-containers-common libyajl2 "libgpgme#" "libassuan#" "libsubid#"
	libdevmapper1.02.1)

# ---- the distribution ----

os_release=
if [ "${1-}" = --os-release ]; then
	os_release=$2
	shift 2
fi
# value KEY: prints the value of os-release's line; by the shell alone, for a machine may have few programs yet
value() {
	local file line
	for file in ${os_release:-/etc/os-release /usr/lib/os-release}; do
		[ -r "$file" ] || continue
		while read -r line || [ -n "$line" ]; do
			[[ $line != "$1="* ]] || { line=${line#*=}; echo "${line//[\"\']/}"; return; }
		done < "$file"
		return
	done
}
# Words of ID and ID_LIKE, as in translator/base/remedy.c. Debian's names stand for those of unknown distributions.
column=3 whose=Debian command='apt-get install --no-install-recommends'
for word in $(value ID) $(value ID_LIKE); do
	case $word in
	debian | ubuntu) ;;
	fedora | rhel | centos) column=4 whose=Fedora command='dnf install' ;;
	suse | sles | opensuse | opensuse-leap | opensuse-tumbleweed) column=5 whose=SUSE command='zypper install' ;;
	arch | archlinux) column=6 whose=Arch command='pacman -S --needed' ;;
	*) continue ;;
	esac
	break
done

# ---- without apt: any distribution ----

# shown GROUP…: prints "WHAT-SHOWS-IT PACKAGE" of these groups, in the names of the distribution
shown() {
	local row package release flavour
	release=$(uname -r)
	flavour=${release##*-}
	[[ $flavour = [a-z]* ]] || flavour=default
	while read -ra row; do
		[[ " $* " = *" ${row[0]} "* ]] || continue
		package=${row[column - 1]//%R/$release}
		echo "${row[1]} ${package//%F/$flavour}"
	done < <(table)
}

# One run of the compiler looks for all headers; without a compiler they are looked for at the distribution's places.
# missing_headers CC: reads the lines of shown()
missing_headers() {
	local header package
	if ! type -P "${1%% *}" > /dev/null; then
		while read -r header package; do
			compgen -G "/usr/include/$header" > /dev/null ||
				compgen -G "/usr/include/*-linux-gnu/$header" > /dev/null || echo "$package"
		done
		return
	fi
	while read -r header package; do
		printf '#if !__has_include(<%s>)\nMISSING %s\n#endif\n' "$header" "$package"
	done | $1 -E -P -x c - 2> /dev/null | sed -n 's/^MISSING //p'
}

# Programs that are not always in PATH.
has_program() {
	type -P "$1" > /dev/null || [ -x "/usr/sbin/$1" ] || [ -x "/usr/libexec/$1" ] || [ -x "/usr/lib/$1" ] ||
		[ -x "/usr/lib/qemu/$1" ]
}

# missing_of CC GROUP…: prints the packages in one line
missing_of() {
	local cc=$1 what package headers='' missing=''
	shift
	while read -r what package; do
		case $what in
		*.h) headers+="$what $package"$'\n' ;;
		CC) has_program "${cc%% *}" || missing+=" $package" ;;
		HEADERS) has_own_headers || missing+=" $package" ;;
		*) has_program "$what" || missing+=" $package" ;;
		esac
	done < <(shown "$@")
	while read -r package; do
		[[ "$missing " = *" $package "* ]] || missing+=" $package"
	done < <(missing_headers "$cc" <<< "${headers%$'\n'}")
	echo "${missing# }"
}

has_own_headers() { [ -e "/lib/modules/$(uname -r)/build/include/config/auto.conf" ]; }

say_missing() {
	local missing
	missing=$(missing_of "$1" must)
	[ -n "$missing" ] || return 0
	echo "to build, something is missing; $whose's packages: $missing"
	if [ "$column" = 3 ]; then echo "make deps installs them, as root"; else echo "as root: $command $missing"; fi
	return 1
} >&2

if [ "${1-}" = --built-with ]; then
	say_missing "$2" || exit 3
	exit 0
fi

# check_group NAME: refuses a name that is no group's
check_group() {
	case $1 in
	where) return ;;
	[a-z]*) [[ $(declare -p "$1" 2> /dev/null) != 'declare -a'* ]] || return 0 ;;
	*) sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
	esac
	echo "tools/deps.sh: no group is called '$1'" >&2
	exit 2
}
for group; do check_group "$group"; done

# Another distribution's packages are its user's to install. Groups that the table above does not have are Debian's.
name_packages() {
	local group missing unknown=()
	groups=()
	for group; do
		case $group in
		build) groups+=(must may) ;;
		where) if "$here/../vm/takes-modules" > /dev/null; then groups+=(own); else groups+=(guest); fi ;;
		guest | demo | own) groups+=("$group") ;;
		*) unknown+=("$group") ;;
		esac
	done
	missing=$(missing_of "${CC:-gcc}" "${groups[@]}")
	for group in "${unknown[@]}"; do
		local -n names=$group
		echo "for '$group' only Debian's names are known here: ${names[*]}"
	done
	[ -n "$missing" ] || return 0
	echo "packages are missing; as root: $command $missing"
	return 3
} >&2
if [ "$column" != 3 ]; then
	name_packages "$@" || exit
	case " ${groups[*]} " in *' guest '*) exec "$here/fetch-kernel" ;; esac
	exit 0
fi

# ---- apt ----

declare -A have=()
look() {
	local state name
	have=()
	while read -r state name; do
		[ "$state" != ii ] || have[$name]=1
	done < <(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' 2> /dev/null)
}
look
is_installed() { [ "${have[$1]-}" ]; }

# The names of all packages that apt knows, a line each; its lists are fetched where there are none.
known=
know() {
	[ -z "$known" ] || return 0
	compgen -G '/var/lib/apt/lists/*Packages*' > /dev/null || [ "$(id -u)" != 0 ] ||
		apt-get -q update > /dev/null 2>&1 || :
	known=$'\n'$(apt-cache pkgnames 2> /dev/null)$'\n'
}
is_known() { is_installed "$1" || { know && [[ $known = *$'\n'$1$'\n'* ]]; }; }

# numbered NAME#REST: prints the package with the highest number: of those installed, else of all
numbered() {
	local pattern="^${1/\#/[0-9.]+}(t64)?\$" found
	found=$(printf '%s\n' "${!have[@]}" | grep -E -- "$pattern" || :)
	[ -n "$found" ] || { know; found=$(grep -E -- "$pattern" <<< "$known" || :); }
	sort -V <<< "${found:-$1}" | tail -n 1
}

# name_of PACKAGE: sets `name` to what it is called in this release
name_of() {
	local n
	for n in ${1//|/ }; do
		[[ $n != *'#'* ]] || n=$(numbered "$n")
		for name in "$n" "${n}t64"; do
			! is_known "$name" || return 0
		done
	done
	name=${1%%|*}
}

# When this machine's kernel takes modules, it is traced itself: its headers are enough. Otherwise a guest is needed.
can_have_own() {
	"$here/../vm/takes-modules" > /dev/null || return
	has_own_headers || is_installed "${own[0]}" || apt-cache show "${own[0]}" > /dev/null 2>&1 ||
		{ apt-get -q update > /dev/null 2>&1 && apt-cache show "${own[0]}" > /dev/null 2>&1; }
}

groups=()
for group in "$@"; do
	case $group in
	where) if ! can_have_own; then groups+=(guest); elif ! has_own_headers; then groups+=(own); fi ;;
	*) groups+=("$group") ;;
	esac
done

missing=()
# need PACKAGE…: adds those that are not installed
need() {
	local p name
	for p; do
		name_of "$p"
		is_installed "$name" || missing+=("$name")
	done
}
for group in "${groups[@]}"; do
	declare -n packages=$group
	need "${packages[@]}"
done

install_missing() {
	local log
	if [ "$(id -u)" != 0 ]; then
		echo "missing packages; as root: apt-get install --no-install-recommends ${missing[*]}" >&2
		exit 3
	fi
	echo "installing ${missing[*]}"
	export DEBIAN_FRONTEND=noninteractive
	log=$(mktemp)
	install() { apt-get -q install -y --no-install-recommends "${missing[@]}" > "$log" 2>&1; }
	# The package lists may be missing or old: so it is tried once more with new ones.
	install || { apt-get -q update > "$log" 2>&1 && install; } || {
		tail -n 20 "$log" >&2
		rm -f "$log"
		echo "could not install: ${missing[*]}" >&2
		exit 3
	}
	rm -f "$log"
	missing=()
	look
}
[ ${#missing[@]} = 0 ] || install_missing

# unpack PACKAGE: below build/unpacked, once, where it is not installed
unpack() {
	local into=${here%/tools}/build/unpacked
	! is_installed "$1" && [ ! -e "$into/.$1" ] || return 0
	rm -rf "$into/.new" && mkdir -p "$into/.new"
	(cd "$into/.new" && { apt-get -q download "$1" || { apt-get -q update && apt-get -q download "$1"; }; }) \
		> "$into/.log" 2>&1 &&
		dpkg-deb -x "$into/.new"/*.deb "$into" || {
			tail -n 5 "$into/.log" >&2
			echo "could not unpack $1" >&2
			exit 3
		}
	rm -rf "$into/.new" "$into/.log"
	: > "$into/.$1"
}

# The compilers of unpacked kernels, where they are not the release's first one.
need_compilers() {
	local file compiler
	for file in "${here%/tools}"/build/kernels/usr/src/linux-headers-*/.config; do
		[ -e "$file" ] || continue
		compiler=$(sed -nE 's/^CONFIG_CC_VERSION_TEXT="(gcc-[0-9]+) .*/\1/p' "$file")
		[ -z "$compiler" ] || type -P "$compiler" > /dev/null || ! is_known "$compiler" || need "$compiler"
	done
	[ ${#missing[@]} = 0 ] || install_missing
}

# A guest's kernel is unpacked, never installed: otherwise the machine would start with it.
case " ${groups[*]} " in *' guest '*) "$here/fetch-kernel" && need_compilers ;; esac
case " ${groups[*]} " in *' ci '*)
	"$here/fetch-kernel" --debuginfo
	for p in "${ci_unpacked[@]}"; do name_of "$p" && unpack "$name"; done
	;;
esac
case " ${groups[*]} " in *' slow '*)
	into=${here%/tools}/build/unpacked/node
	[ -d "$into/node_modules/${client%@*}" ] || npm install --silent --prefix "$into" "$client" || {
		echo "could not get $client" >&2
		exit 3
	}
	;;
esac
case " ${groups[*]} " in *' ci '* | *' arm64 '*) "$here/foreign-tree" aarch64 "${here%/tools}/build/arm64" ;; esac
