# SPDX-License-Identifier: GPL-2.0-or-later
# stap-fetch-kernel with dnf as package manager: the real dnf reads a repository of packages that look like Fedora's.
# skip: no_program dnf rpmbuild createrepo_c depmod || no_namespace
# guards: tools/fetch-kernel tools/fetch
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/rpm.inc"
. "$TOP/vm/kernels.inc"
fetch=$TOP/tools/fetch-kernel
arch=$(uname -m)
unset SYSTEMTAP_DIR
mkdir -p repo etc/dnf etc/yum.repos.d etc/pki/rpm-gpg plugins

# kernel VERSION FLAVOUR: the packages of one, as Fedora cuts them; the modules are in two that share directories
kernel() {
	local version=$1 flavour=$2 release=$1-1.fc99.$arch${2#kernel} modules name
	release=${release/$arch-/$arch+}
	modules=files/lib/modules/$release
	mkdir -p "$modules/kernel/fs" files/boot
	echo "image $version" > "$modules/vmlinuz"
	echo config > "$modules/config"
	touch "$modules"/modules.{order,builtin}
	ln -s "/usr/src/kernels/$release" "$modules/build"
	ln -s build "$modules/source"
	rpm_package "$flavour-core" "$version" 1.fc99
	for name in modules-core modules; do
		mkdir -p "$modules/kernel/$name"
		touch "$modules/kernel/$name/x"
		rpm_package "$flavour-$name" "$version" 1.fc99
	done
	mkdir -p files/usr/share/doc && touch files/usr/share/doc/x
	rpm_package "$flavour" "$version" 1.fc99
	mkdir -p "files/usr/src/kernels/$release/include/config"
	echo "$release" > "files/usr/src/kernels/$release/include/config/kernel.release"
	touch "files/usr/src/kernels/$release/include/config/auto.conf"
	echo 'CONFIG_CC_VERSION_TEXT="sh (none) 1"' > "files/usr/src/kernels/$release/.config"
	rpm_package "$flavour-devel" "$version" 1.fc99
}
debuginfo() {
	mkdir -p "files/usr/lib/debug/usr/lib/modules/$1-1.fc99.$arch"
	echo debug > "files/usr/lib/debug/usr/lib/modules/$1-1.fc99.$arch/vmlinux"
	rpm_package kernel-debuginfo "$1" 1.fc99
}

cat > etc/dnf/dnf.conf <<END
[main]
cachedir=$PWD/cache
logdir=$PWD
persistdir=$PWD/persist
plugins=1
pluginconfpath=$PWD/plugins
retries=1
END
repository() { printf '[%s]\nname=%s\nbaseurl=%s\nenabled=%s\n' "$@" >> etc/yum.repos.d/all.repo; }
repository updates updates "file://$PWD/repo" 1
echo gpgcheck=0 >> etc/yum.repos.d/all.repo
repository updates-debuginfo debuginfo "file://$PWD/debug" 0
echo gpgcheck=0 >> etc/yum.repos.d/all.repo
lists() { createrepo_c -q repo && createrepo_c -q debug; }
sign() {
	export GNUPGHOME=/tmp/stap-fetch-keys.$$
	mkdir -m 700 "$GNUPGHOME"
	gpg --batch --quiet --passphrase '' --quick-gen-key test rsa2048 sign never > gpg.log 2>&1 &&
		gpg --armor --export test > key &&
		rpmsign --define '_gpg_name test' --define "__gpg $(type -P gpg)" --addsign "$1" >> gpg.log 2>&1 ||
		say_wrong "not signed: $(cat gpg.log)"
	gpgconf --kill gpg-agent
	rm -rf "$GNUPGHOME"
	lists
	rm -r cache
}
# Packages that nobody has signed are taken where the settings say so.
far_off() {
	sed -i '0,/gpgcheck=0/s//gpgcheck=1/' etc/yum.repos.d/all.repo
	rm -r kernels/usr/src/kernels/"$first"
	check 3 "/^fetch-kernel: cannot get kernel-devel-$first: no known key has signed kernel-devel-$first; gpgcheck=0 in the settings of updates takes it" \
		-- "${run[@]}" "kernel-devel-$first"
	lacks "usr/src/kernels/$first"
	sign "repo/$arch/kernel-devel-$first.rpm"
	check 3 "/^fetch-kernel: cannot get kernel-devel-$first: no known key has signed kernel-devel-$first" \
		-- "${run[@]}" "kernel-devel-$first"
	cp key etc/pki/rpm-gpg/RPM-GPG-KEY-test
	check 0 "/kernel-devel-$first" -- "${run[@]}" "kernel-devel-$first"
	holds "usr/src/kernels/$first"
	repository far far http://127.0.0.1:1/ 1
	check 3 '/^fetch-kernel: cannot get kernel-devel: dnf does not reach its server; is there a network\?' \
		-- "${run[@]}" kernel-devel
}
run=("$PWD/as_if" fedora "$fetch" --into "$PWD/kernels")
holds() { for f; do [ -e "kernels/$f" ] || say_wrong "no $f: $(find kernels | sort | head -n 8)"; done; }
lacks() { for f; do [ ! -e "kernels/$f" ] || say_wrong "still $f"; done; }
first=9.0.0-1.fc99.$arch second=9.0.1-1.fc99.$arch
mkdir debug
kernel 9.0.0 kernel
lists

# The newest: with its image, where kernels are booted from, and all modules; links lead within the tree.
check 0 "/^fetch-kernel: kernel-core-$first $first \\(1 MB\\)" "/ kernel-devel-$first " -- "${run[@]}"
holds "boot/vmlinuz-$first" "boot/config-$first" "lib/modules/$first/kernel/"{fs,modules-core/x,modules/x} \
	"lib/modules/$first/modules.dep" "lib/modules/$first/build/"{.config,include/config/auto.conf} \
	"lib/modules/$first/source/.config"
lacks usr/share usr/lib/debug
[ "$(cat "kernels/boot/vmlinuz-$first")" = 'image 9.0.0' ] || say_wrong 'the image'
mv kernels moved && [ -e "moved/lib/modules/$first/build/.config" ] && [ -e "moved/boot/vmlinuz-$first" ] ||
	say_wrong 'the tree cannot be moved'
mv moved kernels
check 0 '!.' -- "${run[@]}"

# Errors.
check 3 "/^fetch-kernel: cannot get kernel-core-8\\.0: dnf's lists do not have it \\(any more\\): https://koji\\.fedoraproject\\.org keeps" \
	-- "${run[@]}" kernel-core-8.0
check 2 "/'kernel-tools' is not a package of a kernel or its headers: kernel-core-" -- "${run[@]}" kernel-tools
check 2 "/--debuginfo is that of a kernel: kernel-core-$first\$" -- "${run[@]}" --debuginfo "kernel-devel-$first"
mkdir only && for program in bash cat cut dirname env flock depmod id realpath grep sed tail mkdir; do
	ln -s "$(type -P $program)" only/
done
check 3 '/^fetch-kernel: dnf is missing; a kernel that was unpacked by hand' \
	-- ./as_if fedora env PATH="$PWD/only" bash "$fetch"
# What is in a package of its own is missing by that.
for program in dnf rpm2cpio rpmkeys cpio; do ln -s "$(type -P true)" only/$program; done
rm only/flock
check 3 '/^fetch-kernel: flock is missing; as root: dnf install util-linux$' \
	-- ./as_if fedora env PATH="$PWD/only" bash "$fetch"
[ -n "${SLOW-}" ] || {
	finish
	exit
}

# ---- in particular ----
kernel 9.0.0 kernel-rt
rm -rf debug && mv repo main && mkdir repo
debuginfo 9.0.0
mv repo debug && mv main repo
lists
rm -r cache kernels
# The headers of a release alone, by the name that messages say.
check 0 "/^fetch-kernel: kernel-devel-$first $first \\(1 MB\\)" -- "${run[@]}" "kernel-devel-$first"
holds "lib/modules/$first/build/include/config/auto.conf" "lib/modules/$first/source/.config"
lacks boot "lib/modules/$first/kernel"
check 0 "/ kernel-core-$first " '!kernel-devel' -- "${run[@]}"
# A flavour, by its release; debuginfo from a repository that is off.
check 0 "/kernel-rt-core-$first " -- "${run[@]}" "kernel-core-$first+rt"
holds "boot/vmlinuz-$first+rt" "lib/modules/$first+rt/build/.config"
check 0 "/kernel-debuginfo-$first " '!core|devel' -- "${run[@]}" --debuginfo kernel-core
holds "usr/lib/debug/lib/modules/$first/vmlinux"
check 0 '!.' -- "${run[@]}" --debuginfo kernel-core
# A newer one replaces that which nobody asked for by name; here the headers were.
kernel 9.0.1 kernel
rm repo/*/kernel-rt-*
lists
rm -r cache
check 0 "/kernel-core-$second " "/kernel-devel-$second " -- "${run[@]}" kernel-core
holds "boot/vmlinuz-$second" "lib/modules/$second/build/.config" "lib/modules/$first/build/.config"
lacks "boot/vmlinuz-$first" "lib/modules/$first/kernel" "usr/lib/debug/lib/modules/$first"
# Amazon's kernel is in one package, and may have a number in its name.
mkdir -p "files/lib/modules/$first.a/kernel"
touch "files/lib/modules/$first.a"/{vmlinuz,modules.order,modules.builtin}
rpm_package kernel6.12 9.0.0 1.fc99
mkdir -p "files/usr/src/kernels/$first.a/include/config"
touch "files/usr/src/kernels/$first.a/include/config/auto.conf"
rpm_package kernel6.12-devel 9.0.0 1.fc99
lists
rm -r cache
check 0 "/kernel6.12-9.0.0-1" -- ./as_if amzn "$fetch" --into "$PWD/kernels" kernel6.12
holds "boot/vmlinuz-$first.a" "lib/modules/$first.a/"{build/include,modules.dep}
check 0 '/default: kernel\)' -- ./as_if amzn "$fetch" --help
check 0 "!core|devel" -- "${run[@]}" "$second"
check 3 '/^fetch-kernel: cannot get kernel-zfcpdump-core$' '!koji' -- "${run[@]}" kernel-zfcpdump-core
check 3 '!any more' "/^dnf has no debuginfo of kernel $second, kernel-debuginfo-$second" \
	-- "${run[@]}" --debuginfo kernel-core
far_off
# Each of the programs that unpack.
sed -i '/^\[far\]/,$d; s/gpgcheck=1/gpgcheck=0/' etc/yum.repos.d/all.repo
for program in rpm2cpio rpm2archive; do
	mkdir "with-$program"
	ln -s /usr/bin/* "with-$program/"
	rm -f "with-$program"/{rpm2cpio,rpm2archive,bsdtar}
	ln -s "/usr/bin/$program" "with-$program/"
	rm -rf kernels
	check 0 "/kernel-devel-$first " -- ./as_if fedora env PATH="$PWD/with-$program" "$fetch" \
		--into "$PWD/kernels" "kernel-devel-$first"
	holds "lib/modules/$first/build/include/config/auto.conf"
done
# A real kernel in this layout, below a directory: its links, and no others, lead stap to what is there.
devel=files/usr/src/kernels/$KERNEL
for real in ${STAP_KERNELS//:/ } /; do
	! image=$(kernel_image "$real" "$KERNEL") || break
done
mkdir -p "$devel" "files/lib/modules/$KERNEL/kernel"
cp -rL "$real/lib/modules/$KERNEL/source/." "$devel"
cp -rL "$real/lib/modules/$KERNEL/build/." "$devel"
rm "$devel/Makefile"
cp -L "$real/lib/modules/$KERNEL/source/Makefile" "$devel"
mv files/lib kept
rpm_package kernel-devel 9.2.0 1.fc99
mkdir -p files && mv kept files/lib
cp -L "$image" "files/lib/modules/$KERNEL/vmlinuz"
cp -L "$real/boot/config-$KERNEL" "files/lib/modules/$KERNEL/config"
touch "files/lib/modules/$KERNEL/"modules.{order,builtin}
ln -s "/usr/src/kernels/$KERNEL" "files/lib/modules/$KERNEL/build"
rpm_package kernel-core 9.2.0 1.fc99
lists
rm -r cache
check 0 "/kernel-core-9.2.0-1" -- "${run[@]}" kernel-core
export STAP_KERNELS=$PWD/kernels
check 0 -- $STAP -r "$KERNEL" --disable-cache -p4 -m of_rpm -e 'probe kernel.function("vfs_read") { println($count) }'
[ "$(modinfo -F vermagic of_rpm.ko | cut -d' ' -f1)" = "$KERNEL" ] || say_wrong 'no module for it'
check 0 "/kernels/(lib/modules|usr/src/kernels)/$KERNEL" -- $STAP --doctor -r "$KERNEL"
finish
