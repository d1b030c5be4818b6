# SPDX-License-Identifier: GPL-2.0-or-later
# The rpm packages, including the one of static programs: they are built, rpmlint finds nothing new, and their programs
# run; the static ones run where nothing else is installed.
# skip: is_slow 'packages' || no_program rpmbuild rpmlint rpm2cpio cpio file
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/package.inc"
version=$(sed -n '1s/^stap //p' "$TOP/NEWS")
version=${version%% *}

copy_sources "$PWD/stap-$version"
tar -c "stap-$version" | xz -1 > "stap-$version.tar.xz"
# rpm does not know what dpkg has installed.
rpmbuild -tb --nodeps --with static --define "_topdir $PWD/rpm" "stap-$version.tar.xz" > log 2>&1 || {
	tail -n 20 log
	say_wrong 'no packages'
	finish
	exit
}
[ "$(ls rpm/RPMS/*/*.rpm | sed 's|.*/||; s/-[0-9].*//' | xargs)" = 'stap stap-runtime stap-sdt-devel stap-static' ] ||
	say_wrong "packages: $(ls rpm/RPMS/*)"

# Debian's rpmlint cannot know this: brp scripts of rpm's distributions strip and compress; pages are in sections of the
# library; examples are scripts of stap's; modules are made with gcc and its headers; who packs signs.
cat > rpmlintrc.toml <<'END'
Filters = ["bad-manual-page-folder", "manpage-not-compressed", "unstripped-binary-or-object", "env-script-interpreter",
	"devel-dependency", "no-signature", "no-packager-tag", "no-group-tag",
	"no-binary", "setuid-binary", "non-standard-executable-perm"]
END
rpmlint -c rpmlintrc.toml rpm/RPMS/*/*.rpm > lint 2>&1
! grep ': E: ' lint > out || say_wrong 'rpmlint'

mkdir root
for rpm in rpm/RPMS/*/*.rpm; do rpm2cpio "$rpm" | (cd root && cpio -idm --quiet); done
check 0 '/^-rwsr-x--- +1 root +stapusr .* /usr/bin/staprun$' -- rpm -qplv rpm/RPMS/*/stap-runtime-*.rpm
check 0 "/^stap $version[, ]" -- root/usr/bin/stap --version
check 0 '/^hello$' -- root/usr/bin/stap --runtime=user -e 'probe begin { println("hello") exit() }'
check 0 '/^staprun \(stap\)' -- root/usr/bin/staprun -V
check 0 '/default: kernel-core\)' -- root/usr/bin/stap-fetch-kernel --manager dnf --help
# A machine of --remote may have other libraries, or none that fit.
mkdir -p empty/tmp
for program in staprun stapio; do
	gzip -dc "root/usr/libexec/stap/static/$program.gz" > empty/$program
	chmod 755 empty/$program
	check 0 '/statically linked' -- file empty/$program
done
check 0 '/^staprun \(stap\)' -- chroot empty /staprun -V
check 2 '/^ERROR: name one module' -- chroot empty /stapio
finish
