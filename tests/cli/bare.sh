# SPDX-License-Identifier: GPL-2.0-or-later
# make check on a bare machine: in a new Debian with nothing but make, everything that tests need is brought, none of
# them fails, and nothing has been put into /boot. BARE_KERNEL=PACKAGE names another kernel than today's; the log stays
# in BARE_LOG.
# skip: is_slow 'a whole make check in a new Debian' || no_program debootstrap || no_namespace
. "$TOP/tests/cli/expect.inc"
log=${BARE_LOG:-$WORK/log}
root=$WORK/root
# Not below a directory that is mounted without devices, as /tmp may be.
[ -z "${BARE_DIR-}" ] || root=$BARE_DIR

suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(RELEASE) $(REPO_URI)' | sed -n "s/^$suite //p" | head -n 1)
debootstrap --variant=minbase --include=make,ca-certificates "$suite" "$root" "$mirror" > out 2> err || {
	say_wrong 'debootstrap failed'
	finish
	exit
}
# Packages come from where they come from here.
rm -rf "$root"/etc/apt/sources.list*
cp -r /etc/apt/sources.list* /etc/apt/apt.conf* /etc/apt/trusted.gpg.d "$root/etc/apt"
cp -r /usr/share/keyrings "$root/usr/share"
cp -L /etc/resolv.conf /etc/hosts "$root/etc"
mkdir "$root/stap"
tar -C "$TOP" --exclude=./build --exclude=./.git -c . | tar -C "$root/stap" -x

cat > "$root/make-check" <<'END'
cd /stap
export LC_ALL=C
if [ -n "$1" ]; then
	apt-get -q update && make deps-check && tools/fetch-kernel --into /kernels "$1" || exit
	export STAP_KERNELS=/kernels
fi
make check
END
began=$SECONDS
unshare -m bash -c '
	mount --make-rprivate / && mount --bind "$1" "$1" && mount -t proc proc "$1/proc" &&
		mount --rbind /sys "$1/sys" && mount --rbind /dev "$1/dev" || exit
	exec env -i http_proxy="$http_proxy" https_proxy="$https_proxy" CI="${CI-}" PATH=/usr/sbin:/usr/bin:/sbin:/bin \
		HOME=/root chroot "$1" bash /make-check "$2"' run "$root" "${BARE_KERNEL-}" > "$log" 2>&1
status=$?
[ $status = 0 ] || say_wrong "make check: status $status"
tail -n 1 "$log" | grep -qE '^[0-9]+ passed, 0 failed$' || {
	grep -A 12 '^FAIL' "$log" | cut -c1-200
	say_wrong "$(tail -n 2 "$log")"
}
echo "$((SECONDS - began)) s: $(tail -n 2 "$log" | cut -c1-300)"
[ -z "$(ls -A "$root/boot")" ] || say_wrong "in /boot: $(ls -A "$root/boot")"
[ -z "$(chroot "$root" dpkg -l 'linux-image-*' 2> /dev/null | grep '^ii')" ] || say_wrong 'a kernel is installed'
finish
