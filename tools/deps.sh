#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# deps.sh GROUP…: installs by apt what the named groups need, and only what is missing.
set -euo pipefail

# What for: bison and flex make the parser; the -dev packages are the libraries named in the Makefile.
build=(gcc libc6-dev make bison flex libelf-dev libdw-dev liblz4-dev libzstd-dev liblzma-dev zlib1g-dev libssl-dev libcap-ng-dev libseccomp-dev libjansson-dev)
# A kernel to build modules for and to run them in where this one takes none; QEMU with virtiofsd; what the guest's first process is made of.
guest=(linux-image-cloud-amd64 linux-headers-cloud-amd64 qemu-system-x86 qemu-system-common busybox-static cpio zstd xz-utils)
# The benchmark that the demonstration traces.
demo=(fio hostname)
# Man pages are checked by rendering them; pkill for the tests that kill; programs in C++ to be probed; modules are signed with openssl, and staprun gets
# capabilities by setcap; programs in Python make the system calls, the packets and the namespaces of the network that ip sets up.
check=(man-db procps g++ openssl libcap2-bin python3 iproute2 kmod)

missing=()
for group in "$@"; do
	declare -n packages=$group
	for p in "${packages[@]}"; do
		[ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$p" 2>/dev/null)" = "ii " ] || missing+=("$p")
	done
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" != 0 ]; then
	echo "missing packages; as root: apt-get install --no-install-recommends ${missing[*]}" >&2
	exit 3
fi
echo "installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() { apt-get -q install -y --no-install-recommends "${missing[@]}" > "$log" 2>&1; }
# The package lists may be missing or old: then once more with new ones.
install || { apt-get -q update > "$log" 2>&1 && install; } || {
	tail -n 20 "$log" >&2
	echo "could not install: ${missing[*]}" >&2
	exit 3
}
