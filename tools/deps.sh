#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# deps.sh GROUP…: installs the packages that the named groups need and that are missing, by apt.
# deps.sh --built-with CC: lists what is missing to build, by looking for programs and headers, not at packages.
set -euo pipefail
here=$(dirname "$(realpath "$0")")

# For building: each package, and the program or header that shows it. bison and flex make the parser; the headers are
# those of the libraries named in the Makefile.
needs="gcc=CC libc6-dev=stdio.h make=make bison=bison flex=flex libelf-dev=gelf.h libdw-dev=elfutils/libdwfl.h
	liblz4-dev=lz4.h libzstd-dev=zstd.h liblzma-dev=lzma.h zlib1g-dev=zlib.h libssl-dev=openssl/evp.h
	libcap-ng-dev=cap-ng.h libseccomp-dev=seccomp.h libjansson-dev=jansson.h"
build=()
for need in $needs; do build+=("${need%=*}"); done
# For a guest, beside its kernel: QEMU with virtiofsd; the parts of its first process; kmod lists the modules of an
# unpacked kernel.
guest=(qemu-system-x86 qemu-system-common busybox-static cpio zstd xz-utils kmod)
# The headers of this machine's kernel.
own=("linux-headers-$(uname -r)")
# The benchmark that the demonstration traces.
demo=(fio hostname)
# Man pages are checked by rendering them, by mandoc into a site; pkill for the tests that kill; programs in C++ to be
# probed; modules are signed with openssl, and staprun gets capabilities by setcap; programs in Python make the system
# calls, the packets and the namespaces of the network that ip sets up; pkg-config finds the libraries that are
# optional.
check=(man-db mandoc perl procps g++ openssl libcap2-bin python3 iproute2 kmod pkg-config libsqlite3-dev
	libpq-dev librdkafka-dev libmariadb-dev libkdumpfile-dev libncurses-dev libedit-dev libmicrohttpd-dev
	libyaml-dev libcrypt-dev curl)
# For packages, of Debian's kind and of rpm's.
deb=(build-essential debhelper libsqlite3-dev libpq-dev librdkafka-dev libmariadb-dev libkdumpfile-dev
	libmicrohttpd-dev libyaml-dev libcrypt-dev libncurses-dev libedit-dev pkg-config)
rpm=(rpm)
# For modules and guests of arm64: a compiler and an emulator; tools/foreign-tree has the rest.
arm64=(gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross gcc-arm-linux-gnueabihf libc6-dev-armhf-cross
	qemu-system-arm)
# What makes programs for 32 bits; the package gcc-multilib, which stands for it, excludes each cross compiler.
version=$(gcc -dumpversion 2> /dev/null || apt-cache depends gcc 2> /dev/null | sed -n 's/.*Depends: gcc-//p' || :)
multilib=gcc-${version:-12}-multilib
# For CI=true, where no test may be skipped: strace shows system calls, and delays them; there are programs for
# 32 bits; Java is traced; debuginfo is asked for; the libraries are those of PostgreSQL, which is traced as well; a
# guest boots with Secure Boot; zsh and fish complete command lines; what --to makes is read by sqlite3, babeltrace2,
# protoc and tcpdump, and --json is held against its schema; the manifest for Kubernetes is read; packages are built
# and installed; fio is the load of a test of LKET; four are of MariaDB's server; two connect to other machines, and
# say which there are; makedumpfile makes its forms of a dump; bubblewrap runs a program in namespaces; vim and
# emacs colour scripts, and neovim asks the language server; dnf and zypper get kernels out of repositories
# that are made.
ci=(strace "$multilib" openjdk-17-jdk-headless libdebuginfod1 libpq5 libldap-2.5-0 libicu72 libxml2 libgssapi-krb5-2
	libpam0g libreadline8 tzdata ovmf sbsigntool zsh fish sqlite3 babeltrace2 protobuf-compiler tcpdump
	python3-jsonschema python3-yaml "${deb[@]}" "${arm64[@]}" fio liburing2 libaio1 libnuma1 libedit2
	openssh-client libwrap0 clustershell makedumpfile bubblewrap vim emacs-nox neovim
	dnf dnf-plugins-core createrepo-c libzypp1722 libaugeas0 "${rpm[@]}")
# Groups of users come with a package, made by a program that is in systemd or stands alone.
type -P systemd-sysusers > /dev/null || ci+=(systemd-standalone-sysusers)
# For SLOW=1: make check in an empty Debian, and packages installed in one; a browser shows flame graphs; packages are
# signed; clang compares types.
slow=(debootstrap "${deb[@]}" lintian devscripts file chromium gpg gpg-agent rpmlint rpm2cpio clang-19)
# In node the protocol library of VS Code, which comes with its client library, asks the language server; node may be
# of another packager's.
type -P node npm > /dev/null || slow+=(nodejs npm)
client=vscode-languageclient@9.0.1
# The work under which `make sweep` probes.
sweep=(stress-ng fio rt-tests iproute2 python3)
# To fuzz: libFuzzer comes with clang; the seeds are made by a program in Python.
fuzz=(clang afl++ python3)
# To build a kernel (tools/debug-kernel), and one with clang.
debug_kernel=(gcc make bc bison flex libelf-dev libssl-dev dwarves xz-utils kmod cpio rsync openssl python3)
clang_kernel=("${debug_kernel[@]}" clang-19 lld-19 llvm-19)
# Packages that would start a service when installed, or, as containers of podman, change how the machine works: they
# are unpacked, and tests/lib.sh and the tests know where. sshd is that of machines of --remote; zypper excludes
# dnf-plugins-core.
ci_unpacked=(openssh-server postgresql-15 postgresql-client-15 mariadb-server-core mariadb-client-core
	podman conmon crun zypper golang-github-containers-common libyajl2 libgpgme11 libassuan0 libsubid4
	libdevmapper1.02.1)

# ---- without apt: any distribution ----

# One run of the compiler looks for all headers; without a compiler they are looked for at the distribution's places.
missing_headers() {
	local need
	if ! type -P "${1%% *}" > /dev/null; then
		for need in $needs; do
			[[ $need = *.h ]] || continue
			compgen -G "/usr/include/${need#*=}" > /dev/null ||
				compgen -G "/usr/include/*-linux-gnu/${need#*=}" > /dev/null || echo "${need%=*}"
		done
		return
	fi
	for need in $needs; do
		[[ $need != *.h ]] ||
			printf '#if !__has_include(<%s>)\nMISSING %s\n#endif\n' "${need#*=}" "${need%=*}"
	done | $1 -E -P -x c - 2> /dev/null | sed -n 's/^MISSING //p'
}

say_missing() {
	local need missing=()
	for need in $needs; do
		case ${need#*=} in
		*.h) ;;
		CC) type -P "${1%% *}" > /dev/null || missing+=("${need%=*}") ;;
		*) type -P "${need#*=}" > /dev/null || missing+=("${need%=*}") ;;
		esac
	done
	mapfile -t -O ${#missing[@]} missing < <(missing_headers "$1")
	[ ${#missing[@]} -gt 0 ] || return 0
	echo "to build, something is missing; Debian's packages: ${missing[*]}"
	echo "make deps installs them, as root"
	return 1
} >&2

if [ "${1-}" = --built-with ]; then
	say_missing "$2" || exit 3
	exit 0
fi

# ---- apt ----

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2> /dev/null)" = "ii " ]; }

# When this machine's kernel takes modules, it is traced itself: its headers are enough. Otherwise a guest is needed.
has_own_headers() { [ -e "/lib/modules/$(uname -r)/build/include/config/auto.conf" ]; }
can_have_own() {
	"$here/../vm/takes-modules" > /dev/null || return
	has_own_headers || is_installed "${own[0]}" || apt-cache show "${own[0]}" > /dev/null 2>&1 ||
		{ apt-get -q update > /dev/null 2>&1 && apt-cache show "${own[0]}" > /dev/null 2>&1; }
}

groups=()
for group in "$@"; do
	case $group in
	where) if ! can_have_own; then groups+=(guest); elif ! has_own_headers; then groups+=(own); fi ;;
	[a-z]*) [[ $(declare -p "$group" 2> /dev/null) = 'declare -a'* ]] ||
		{ echo "tools/deps.sh: no group is called '$group'" >&2; exit 2; }
		groups+=("$group") ;;
	*) sed -n '3,4s/^# //p' "$0" >&2; exit 2 ;;
	esac
done

missing=()
for group in "${groups[@]}"; do
	declare -n packages=$group
	for p in "${packages[@]}"; do
		is_installed "$p" || missing+=("$p")
	done
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

# A guest's kernel is unpacked, never installed: otherwise the machine would start with it.
case " ${groups[*]} " in *' guest '*) "$here/fetch-kernel" ;; esac
case " ${groups[*]} " in *' ci '*)
	"$here/fetch-kernel" --debuginfo
	for p in "${ci_unpacked[@]}"; do unpack "$p"; done
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
