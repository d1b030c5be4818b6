# SPDX-License-Identifier: GPL-2.0-or-later
# stap-fetch-kernel with zypper as package manager: the real zypper reads a repository of packages that look like
# SUSE's. (Debian's zypper conflicts with dnf's plugins, so it is only unpacked.)
# skip: no_program zypper rpmbuild createrepo_c depmod || no_namespace
# guards: tools/fetch-kernel tools/fetch
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/rpm.inc"
fetch=$TOP/tools/fetch-kernel
arch=$(uname -m)
unset SYSTEMTAP_DIR STAP_KERNELS
export XDG_CACHE_HOME=$PWD/xdg
mkdir repo bin repos
cat > bin/zypper <<END
#!/bin/sh
exec "$(type -P zypper)" --reposd-dir "$PWD/repos" --cache-dir "$PWD/cache" "\$@"
END
chmod +x bin/zypper

# kernel SOURCE BUILD: the packages of one, as SUSE cuts them; what is the same for all flavours has another build's
# number
kernel() {
	local release=${1#*-} version=${1%%-*} modules=files/usr/lib/modules/$1-default objects common
	mkdir -p "$modules/kernel/fs" files/boot
	echo "image $1.$2" > "$modules/vmlinuz"
	echo config > "$modules/config"
	touch "$modules"/modules.{order,builtin}
	ln -s "../usr/lib/modules/$1-default/vmlinuz" "files/boot/vmlinuz-$1-default"
	rpm_package kernel-default "$version" "$release.$2"
	objects=files/usr/src/linux-$1-obj/$arch/default common=files/usr/src/linux-$1
	mkdir -p "$objects/include/config" "$modules"
	echo "$1-default" > "$objects/include/config/kernel.release"
	touch "$objects/include/config/auto.conf"
	echo 'CONFIG_CC_VERSION_TEXT="sh (none) 1"' > "$objects/.config"
	echo "include /usr/src/linux-$1/Makefile" > "$objects/Makefile"
	ln -s "/usr/src/linux-$1-obj/$arch/default" "$modules/build"
	ln -s "/usr/src/linux-$1" "$modules/source"
	rpm_package kernel-default-devel "$version" "$release.$2"
	mkdir -p "$common"
	echo 'all:; @echo $(CURDIR)' > "$common/Makefile"
	rpm_package kernel-devel "$version" "$release.$(($2 + 1))" noarch
}
lists() { createrepo_c -q repo && rm -rf cache; }
run=("$PWD/as_if" opensuse-tumbleweed env "PATH=$PWD/bin:$PATH" "$fetch" --into "$PWD/kernels")
holds() { for f; do [ -e "kernels/$f" ] || say_wrong "no $f: $(find kernels | sort | head -n 20)"; done; }
lacks() { for f; do [ ! -e "kernels/$f" ] || say_wrong "still $f"; done; }
# builds_in DIR RELEASE: make there is led to the headers of all flavours
builds_in() {
	[ "$(make -s -C "$1/lib/modules/$2-default/build" 2>&1)" = "$PWD/$1/usr/src/linux-$2-obj/$arch/default" ] ||
		say_wrong "the build directory does not work in $1"
}
printf '[updates]\nname=updates\nbaseurl=%s\nenabled=1\ngpgcheck=0\n' "file://$PWD/repo" > repos/updates.repo
first=6.4.0-150.21 second=6.4.0-150.22
kernel $first 3
lists

# The newest: with its image, where kernels are booted from.
check 0 "/^fetch-kernel: kernel-default-$first\\.3 $first\\.3\$" "/ kernel-devel-$first\\.4 " \
	"/ kernel-default-devel-$first\\.3 " -- "${run[@]}"
holds "boot/vmlinuz-$first-default" "boot/config-$first-default" \
	"lib/modules/$first-default/"{kernel/fs,modules.dep,source/Makefile,build/{.config,include/config/auto.conf}}
lacks usr/lib/modules
[ "$(cat "kernels/boot/vmlinuz-$first-default")" = "image $first.3" ] || say_wrong 'the image'
builds_in kernels $first
mv kernels moved && builds_in moved $first
mv moved kernels
check 0 '!.' -- "${run[@]}"

# Errors.
check 3 "/^fetch-kernel: cannot get kernel-default-5\\.9\\.0-1-default: zypper's lists do not have it .*: https://.*/history" \
	-- "${run[@]}" kernel-default-5.9.0-1-default
check 2 "/'kernel-source' is not a package of a kernel or its headers: kernel-default-" -- "${run[@]}" kernel-source
check 2 '/--debuginfo does not know zypper.s; as root: zypper --plus-content debug install kernel-default-debuginfo' \
	-- "${run[@]}" --debuginfo
[ -n "${SLOW-}" ] || {
	finish
	exit
}

# ---- in particular ----
rm -r kernels
# The headers alone, by the release that uname says.
check 0 "/ kernel-default-devel-$first\\.3 " '!: kernel-default-6' -- "${run[@]}" "kernel-default-devel-$first-default"
builds_in kernels $first
lacks boot "lib/modules/$first-default/kernel"
check 0 "/ kernel-default-$first\\.3 " '!devel' -- "${run[@]}" "$first-default"
holds "boot/vmlinuz-$first-default"
check 0 '!.' -- "${run[@]}" kernel-default
# A newer one; that which was asked for by name stays. A build of the same sources replaces it.
kernel $second 1
lists
check 0 "/ kernel-default-$second\\.1 " -- "${run[@]}"
holds "boot/vmlinuz-$first-default" "boot/vmlinuz-$second-default"
builds_in kernels $second
kernel $second 5
lists
check 0 "/ kernel-default-$second\\.5 " -- "${run[@]}"
[ "$(cat "kernels/boot/vmlinuz-$second-default")" = "image $second.5" ] || say_wrong 'the image of the build'
builds_in kernels $second
rm repo/*/kernel-devel-*
lists
check 3 "/^zypper has no kernel-devel-$second" '!any more' -- "${run[@]}" "kernel-default-devel-$second"
sed -i 's|file://.*|http://127.0.0.1:1/|' repos/updates.repo
rm -r cache
check 3 '/^fetch-kernel: cannot get kernel-default-devel: zypper does not reach its server; is there a network\?' \
	-- "${run[@]}" kernel-default-devel
finish
