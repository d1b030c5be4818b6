# SPDX-License-Identifier: GPL-2.0-or-later
# A release: its number is the same everywhere; --version names the commit, in a clone and in a tarball.
# guards: lib Makefile translator/base/version.h translator/base/version.c tools/commit NEWS debian packaging
. "$TOP/tests/cli/expect.inc"
version=$(sed -n 's/^#define STAP_VERSION "\(.*\)"/\1/p' "$TOP/translator/base/version.h")
[ -n "$version" ] || say_wrong 'version.h has no number'
same() { [ "$2" = "$version" ] || say_wrong "$1 is about '$2', version.h about '$version'"; }
same NEWS "$(sed -n '1s/^stap //p' "$TOP/NEWS")"
same debian/changelog "$(sed -n '1s/^stap (\([^)]*\)).*/\1/p' "$TOP/debian/changelog")"
same packaging/stap.spec "$(sed -n 's/^Version: *//p' "$TOP/packaging/stap.spec")"

# There are packages for each architecture that modules are made for, and for no other: each kind has its own names.
architectures=$(sed -n 's/^ARCH(\(.*\))$/\1/p' "$TOP/translator/arch/arch.def")
for name in $architectures; do
	grep -q '\.no_modules = "' "$TOP/translator/arch/$name/machine.c" || echo "$name"
done > made
grep -qx x86_64 made || say_wrong "architectures: $(xargs < made)"
grep -v '^#' "$TOP/packaging/architectures" > table
debian=$(cut -d ' ' -f 1 table | sort | xargs)
rpm=$(cut -d ' ' -f 2 table | sort | xargs)
[ "$rpm" = "$(sort made | xargs)" ] ||
	say_wrong "packaging/architectures has '$rpm', modules are made for $(xargs < made)"
sorted() { tr ' ' '\n' | sort | xargs; }
while read -r field; do
	[ "$(sorted <<< "$field")" = "$debian" ] ||
		say_wrong "debian/control has a package for '$field', arch.def modules for '$debian'"
done < <(sed -n 's/^Architecture: *//p' "$TOP/debian/control")
[ "$(grep -c '^Architecture:' "$TOP/debian/control")" = "$(grep -c '^Package:' "$TOP/debian/control")" ] ||
	say_wrong 'a package of debian/control has no architecture'
field=$(sed -n 's/^ExclusiveArch: *//p' "$TOP/packaging/stap.spec")
[ "$(sorted <<< "$field")" = "$rpm" ] ||
	say_wrong "packaging/stap.spec has packages for '$field', arch.def modules for '$rpm'"

# Both kinds of packages are built with the same libraries.
while read -r debian rpm; do
	grep -qE "^ +$debian(:native)?,?$|^Build-Depends: $debian,$" "$TOP/debian/control" ||
		say_wrong "debian/control does not ask for $debian"
	grep -qE "^BuildRequires:.* $rpm( |$)" "$TOP/packaging/stap.spec" || say_wrong "stap.spec does not ask for $rpm"
done <<'END_NAMES'
bison bison
flex flex
libcap-ng-dev libcap-ng-devel
libcrypt-dev libxcrypt-devel
libdw-dev elfutils-devel
libedit-dev libedit-devel
libelf-dev elfutils-libelf-devel
libjansson-dev jansson-devel
libkdumpfile-dev libkdumpfile-devel
liblz4-dev lz4-devel
liblzma-dev xz-devel
libmariadb-dev mariadb-connector-c-devel
libmicrohttpd-dev libmicrohttpd-devel
libncurses-dev ncurses-devel
libpq-dev libpq-devel
librdkafka-dev librdkafka-devel
libseccomp-dev libseccomp-devel
libsqlite3-dev sqlite-devel
libssl-dev openssl-devel
libyaml-dev libyaml-devel
libzstd-dev libzstd-devel
pkg-config pkgconf-pkg-config
zlib1g-dev zlib-devel
END_NAMES
build_depends() { sed -n '/^Build-Depends/,/^Standards/p' "$TOP/debian/control"; }
[ "$(build_depends | grep -c '^ *\(lib.*-dev\|zlib.*\),$')" = 20 ] ||
	say_wrong 'debian/control asks for a library that stands not in this test'
# What runs while packages for another architecture are built: the program that writes pages is linked with these.
native=$(build_depends | sed -n 's/^ *\(.*\):native <cross !nodoc>,\{0,1\}$/\1/p' | xargs)
[ "$native" = 'libdw-dev libelf-dev libjansson-dev liblz4-dev liblzma-dev libssl-dev libzstd-dev zlib1g-dev' ] ||
	say_wrong "debian/control has of :native '$native'"

commit=$("$TOP/tools/commit")
named=
[ -z "$commit" ] || named=' \(commit [0-9a-f]{12}(-dirty)?\)'
check 0 "/^stap $version$named, " -- "$STAP" --version

# The tarball is that of a commit: only a clone can make one.
if [ -n "$commit" ]; then
	[[ $commit =~ ^[0-9a-f]{12}(-dirty)?$ ]] || say_wrong "tools/commit prints '$commit'"
	for i in 1 2; do
		check 0 "/stap-$version.tar.xz\$" -- make -s -C "$TOP" "B=$PWD/dist$i" dist
		touch -d '2001-01-01' "dist$i"
	done
	cmp "dist1/stap-$version.tar.xz" "dist2/stap-$version.tar.xz" > out 2>&1 || say_wrong 'two tarballs differ'
	tar -xf "dist1/stap-$version.tar.xz"
	[ "$("stap-$version/tools/commit")" = "$(git -C "$TOP" rev-parse HEAD | cut -c1-12)" ] ||
		say_wrong "the tarball's tools/commit prints '$("stap-$version/tools/commit")'"
fi
finish
