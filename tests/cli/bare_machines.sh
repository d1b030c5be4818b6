# SPDX-License-Identifier: GPL-2.0-or-later
# make demo and make check on bare machines: in a new Debian 12, 13 and sid with nothing but make and git, in a clone,
# each with its own kernel and compiler. They install everything that they need, no test fails, and nothing is put into
# /boot. CI=true makes make check run everything there. BARE_SUITES names other releases; BARE_KERNEL=PACKAGE another
# kernel for make check. The logs stay in BARE_LOG.SUITE; trees are made in BARE_DIR.
# skip: is_slow 'make demo and make check in three new Debians' || no_program debootstrap git || no_namespace
. "$TOP/tests/cli/expect.inc"
own=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(RELEASE) $(REPO_URI)' | sed -n "s/^$own //p" | head -n 1)

# new_tree SUITE DIR: packages come from where they come from here
new_tree() {
	debootstrap --variant=minbase --include=make,git,ca-certificates "$1" "$2" "$mirror" > out 2> err || {
		say_wrong "debootstrap $1 failed"
		return 1
	}
	if [ "$1" = "$own" ]; then
		rm -rf "$2"/etc/apt/sources.list*
		cp -r /etc/apt/sources.list* "$2/etc/apt"
	fi
	cp -r /etc/apt/apt.conf* /etc/apt/trusted.gpg.d "$2/etc/apt"
	# The lists of sid are valid for a week, and a mirror's copy may be older.
	echo 'Acquire::Check-Valid-Until "false";' > "$2/etc/apt/apt.conf.d/valid"
	cp -r /usr/share/keyrings "$2/usr/share"
	cp -L /etc/resolv.conf /etc/hosts "$2/etc"
	git clone -q "$TOP" "$2/stap"
}

cat > two-commands <<'END'
cd /stap
export LC_ALL=C
make demo || exit
echo 'demo: done'
if [ -n "$1" ]; then
	apt-get -q update && make deps-check && tools/fetch-kernel --into /kernels "$1" || exit
	export STAP_KERNELS=/kernels
fi
make check || exit
# Modules built by each gcc of the release.
compilers=$(apt-cache pkgnames gcc- | grep -xE 'gcc-1[2-6]')
DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends $compilers &&
	tests/run tests/cli/build_paths.sh
END
# bare SUITE
bare() {
	local root=${BARE_DIR:-$WORK}/root.$1 log=${BARE_LOG:-$WORK/log}.$1 began=$SECONDS status
	new_tree "$1" "$root" || return
	cp two-commands "$root"
	# shellcheck disable=SC2016 # the inner shell expands
	unshare -m bash -c '
		mount --make-rprivate / && mount --bind "$1" "$1" && mount -t proc proc "$1/proc" &&
			mount --rbind /sys "$1/sys" && mount --rbind /dev "$1/dev" || exit
		exec env -i http_proxy="$http_proxy" https_proxy="$https_proxy" CI="${CI-}" \
			PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
			chroot "$1" bash -c "time bash /two-commands $2"' run "$root" "${BARE_KERNEL-}" > "$log" 2>&1
	status=$?
	[ $status = 0 ] || say_wrong "$1: status $status"
	grep -qx 'demo: done' "$log" || say_wrong "$1: make demo: $(tail -n 3 "$log")"
	[ "$(grep -cE '^[0-9]+ passed, 0 failed$' "$log")" = 2 ] || {
		grep -A 12 '^FAIL' "$log" | cut -c1-200
		say_wrong "$1: $(tail -n 6 "$log")"
	}
	echo "$1: $((SECONDS - began)) s: $(tail -n 6 "$log" | cut -c1-300)"
	[ -z "$(ls -A "$root/boot")" ] || say_wrong "in /boot of $1: $(ls -A "$root/boot")"
	[ -z "$(chroot "$root" dpkg -l 'linux-image-*' 2> /dev/null | grep '^ii')" ] ||
		say_wrong "$1: a kernel is installed"
	rm -rf "$root"
}
for suite in ${BARE_SUITES:-bookworm trixie sid}; do bare "$suite"; done
finish
