# SPDX-License-Identifier: GPL-2.0-or-later
# The Debian packages, with what this tree has compiled, are installed over this machine's files, which stay unchanged;
# with only their contents, a script becomes a module there and runs in a guest.
# skip: no_namespace || no_kernel || no_program dpkg-checkbuilddeps || ! dpkg-checkbuilddeps debian/control
# skip: ! grep -qw overlay /proc/filesystems && ! modprobe -q overlay && echo "not here: an overlay"
# guards: Makefile man/pages.mk tests/tests.mk packaging/install.mk tools/generated.mk debian translator/build vm
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/package.inc"
before=$(dpkg-query -W)

# The compiler's flags, the manual pages and the same bits each time are package.sh's.
copy_sources one/stap && mkdir one/stap/debian/build &&
	cp -a "${STAP%/bin/stap}"/{.complete,bin,container,dtrace,exporter,flags,lib,lket,merge,runtime,stap,stapio} \
		"${STAP%/bin/stap}"/{staprun,tools,trace,translator} "${STAP%/bin/stap}"/*.a one/stap/debian/build
# With the flags that it was compiled with: for other ones all would be compiled anew.
export DEB_CFLAGS_SET='-O2 -g' DEB_CPPFLAGS_SET='' DEB_LDFLAGS_SET=''
export DPKG_DEB_COMPRESSOR_TYPE=none DEB_BUILD_OPTIONS='nocheck nodoc nostrip noautodbgsym'
mkdir bin && ln -s "$(type -P true)" bin/dh_strip_nondeterminism
PATH=$PWD/bin:$PATH build_packages "$PWD/one/stap" -nc

cat > one/try <<'END_TRY'
set -ex
dpkg --force-unsafe-io --no-triggers -i /packages/*.deb
dpkg -V stap stap-runtime stap-sdt-dev stap-static
lent() { gzip -dc /usr/libexec/stap/static/"$1".gz > "$1" && chmod +x "$1"; }
lent staprun && lent stapio && (! ldd ./staprun) && echo "lent: $(./staprun -V 2>&1 | head -n 1)"
echo "staprun: $(stat -c '%a %U %G' /usr/bin/staprun)"
stap --version
echo 'probe begin { println("hello from " . module_name()) exit() }' > hello.stp
stap -r "$1" -p4 -m hello hello.stp
modinfo ./hello.ko
stap --vm="$1" -m hello hello.stp
END_TRY
# Without the tree that it was built from.
mkdir root above
over_this='mount -t tmpfs above above && mkdir above/{files,work} &&
	mount -t overlay over -o "lowerdir=/,upperdir=above/files,workdir=above/work" root &&
	mkdir root/packages && mount --bind one root/packages &&
	{ [ ! -d "root$TOP" ] || mount -t tmpfs none "root$TOP"; }'
in_tree root "$over_this" sh -c 'cd /root && exec bash /packages/try "$1"' sh "$KERNEL" > log 2>&1 || {
	tail -n 20 log
	say_wrong 'where the packages are installed'
}
for line in 'staprun: 4750 root stapusr' 'lent: staprun \(stap\), module interface [0-9]+' \
	"stap $(sed -n '1s/^stap //p' "$TOP/NEWS").*" 'name: +hello' \
	'license: +GPL' "vermagic: +$KERNEL .*" 'hello from hello'; do
	grep -qE "^$line$" log || { cat log; say_wrong "no line: $line"; }
done
[ "$(dpkg-query -W)" = "$before" ] || say_wrong "the machine's own packages have changed"
finish
