# SPDX-License-Identifier: GPL-2.0-or-later
# Packages of both kinds for arm64, compiled here: lintian finds nothing; dpkg installs them in an arm64 guest and finds
# everything that they depend on; their programs run there, the translator with that machine's own compiler.
# ARM64_NATIVE=DIR names a tree that is there already; otherwise the test makes one.
# skip: is_slow 'packages' || no_program dh lintian rpmbuild rpm2cpio cpio file
# skip: no_program aarch64-linux-gnu-gcc || no_program qemu-system-aarch64
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/package.inc"
version=$(sed -n '1s/^stap //p' "$TOP/NEWS")
version=${version%% *}
tree=${ARM64_NATIVE:-$WORK/tree}
# dpkg installs the packages, and stap-runtime depends on a program that makes groups.
"$TOP/tools/foreign-tree" --native aarch64 "$tree" dpkg libc-bin tar systemd-standalone-sysusers > out 2>&1 ||
	say_wrong 'no tree'
check 2 '/there is no way to build for sparc' -- "$TOP/tools/foreign-build" sparc "$tree" true
check 2 '/is not a tree of tools/foreign-tree' -- "$TOP/tools/foreign-build" aarch64 . true
build=("$TOP/tools/foreign-build" aarch64 "$tree")

# ---- Debian's ----
copy_sources "$PWD/deb/stap"
build_packages "$PWD/deb/stap"
[ "$(ls deb/*_arm64.deb | sed 's|.*/||; s/_.*//' | grep -v dbgsym | sort | xargs)" = \
	'stap stap-runtime stap-sdt-dev stap-static' ] || say_wrong "packages: $(ls deb)"
mkdir lint
TMPDIR=$PWD/lint lintian --fail-on error,warning deb/*.changes > out 2> err || say_wrong 'lintian'
check 0 '/libdw1 [(]>= ' '/libedit2 [(]>= ' '/libelf1 [(]>= ' -- dpkg-deb -f deb/stap_*.deb Depends
check 0 '/^linux-headers-generic [|] linux-headers-arm64$' -- dpkg-deb -f deb/stap_*.deb Recommends
check 0 '/^glibc [(]= .*openssl [(]= ' -- dpkg-deb -f deb/stap-static_*.deb Built-Using

# ---- rpm's ----
copy_sources "$PWD/stap-$version"
tar -c "stap-$version" | xz -1 > "stap-$version.tar.xz"
"${build[@]}" rpmbuild -tb --with static --define "_topdir $PWD/rpm" "stap-$version.tar.xz" > log 2>&1 || {
	tail -n 20 log
	say_wrong 'no packages'
}
[ "$(rpm -qp --qf '%{NAME}.%{ARCH}\n' rpm/RPMS/aarch64/*.rpm | sort | xargs)" = \
	'stap-runtime.aarch64 stap-sdt-devel.aarch64 stap-static.aarch64 stap.aarch64' ] ||
	say_wrong "packages: $(ls rpm/RPMS/*)"

# Every program is of that machine, in packages of both kinds.
mkdir -p in/{deb,rpm}
for file in deb/*_arm64.deb; do
	case $file in *-dbgsym_*) ;; *) dpkg-deb -x "$file" in/deb ;; esac
done
for file in rpm/RPMS/*/*.rpm; do rpm2cpio "$file" | (cd in/rpm && cpio -idm --quiet); done
needed() { readelf -d "$1" | sed -n '/NEEDED.*ld-linux/d; s/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort | xargs; }
for kind in deb rpm; do
	gzip -d in/$kind/usr/libexec/stap/static/*.gz
	find in/$kind -type f -exec file {} + | sed -n 's/.*: .*ELF 64-bit LSB \([^,]*, [^,]*\),.*/\1/p' | sort |
		uniq -c | sed 's/^ *//' > out
	diff out - <<< $'2 executable, ARM aarch64\n8 pie executable, ARM aarch64' || say_wrong "programs of $kind"
	for program in in/$kind/usr/bin/{stap,staprun,stap-merge,lket-b2a,stap-container,dtrace,stap-exporter} \
		in/$kind/usr/libexec/stap/stapio; do
		[ "$(needed "$program")" = "$(needed "${STAP%/*}/${program##*/}")" ] ||
			say_wrong "$program needs other libraries than this machine's: $(needed "$program")"
	done
	ls in/$kind/usr/share/man/man3/function::println.3stap* > out 2> err || say_wrong "no pages in $kind"
done

# ---- in a guest ----
box=$(mktemp -d "$tree/root/test.XXXXXX")
mkdir "$box/packages"
cp deb/*_arm64.deb "$box/packages" && rm -f "$box"/packages/*-dbgsym_*
cp -r in/rpm in/deb/usr/libexec/stap/static "$box"
cat > "$box/inside" <<'END'
export TMPDIR=/tmp HOME=/root
cd "$1" || exit
dpkg --force-unsafe-io -i packages/*.deb > log 2>&1 || { cat log; exit 1; }
dpkg -V stap stap-runtime stap-sdt-dev stap-static && echo 'all is there'
echo "staprun: $(stat -c '%a %U %G' /usr/bin/staprun)"
stap --version
stap-merge -V; lket-b2a -V; stap-exporter --help
for program in 'stap --version' 'staprun -V'; do rpm/usr/bin/$program 2>&1 | sed 's/^/rpm: /'; done
stap --doctor
stap --runtime=user -e 'probe begin { println("hello from a program") exit() }'
echo 'provider p { probe m(int); };' > p.d && dtrace -h -s p.d && grep P_M p.h | head -n 1
stap -k -p4 -m hello -e 'probe begin { println("hello from ", module_name()) exit() }
	probe kernel.function("vfs_read").return { if (execname() == "dd") printf("read %d\n", $return) }'
echo hello > read.txt
staprun -c 'dd if=read.txt bs=77' hello.ko
# What is lent needs no file of the packages.
dpkg -r stap stap-runtime stap-static > log 2>&1 || cat log
chmod +x static/*
PATH=$PWD/static:$PATH staprun -c 'dd if=read.txt bs=77' hello.ko | sed 's/^/lent: /'
END
check 0 '/^all is there$' '/^staprun: 4750 root stapusr$' "/^stap $version[, ]" '/^stap-merge ' '/^lket-b2a ' \
	'/^Usage: stap-exporter ' "/^rpm: stap $version[, ]" '/^rpm: staprun [(]stap[)]' '/^ok       compiler ' \
	'!^missing' '/^hello from a program$' \
	'/P_M' '/^hello from hello$' '/^read 6$' '/^lent: hello from hello$' '/^lent: read 6$' -- \
	"${STAP%/*}/stap-vm" --arch aarch64 --root "$tree" --memory 3000 --dmesg dmesg --timeout 2400 -- \
	bash "${box#"$tree"}/inside" "${box#"$tree"}"
rm -rf "$box"
! grep -E 'BUG:|WARNING:|Oops|Call trace|Unable to handle' dmesg || say_wrong 'the kernel complains'
finish
