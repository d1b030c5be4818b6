#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Prints tapset/sourcefiles.txt: the functions of each source file of a kernel, from its debuginfo
# ($SYSTEMTAP_DEBUGINFO_PATH). Names that several files have are left out, and so are files that nobody asks for.
# translator/drift/sourcefiles.h has the format.
# usage: tools/drift-files.sh [RELEASE] >tapset/sourcefiles.txt
set -e
release=${1:-$(uname -r)}
stap=${STAP:-build/bin/stap}
cat <<END
# SPDX-License-Identifier: GPL-2.0-or-later
# The functions of source files in kernel $release, made by tools/drift-files.sh. stap reads
# this file for places such as kernel.function("vfs_*@fs/read_write.c") of kernels without debuginfo:
# translator/drift/sourcefiles.h has the format.
kernel $(echo "$release" | grep -oE '^[0-9]+\.[0-9]+')
END
"$stap" -r "$release" -l 'kernel.function("*@*.c")' | grep -v '\.inline$' | LC_ALL=C awk -F'[@":]' '
	{
		sub(/\..*/, "", $2)
		sub(/^__(x64|ia32|do|se)_(compat_)?sys_/, "sys_", $2)
		if (seen[$2] && seen[$2] != $3) several[$2] = 1
		seen[$2] = $3
	}
	END { for (name in seen) if (!(name in several)) print seen[name], name }' |
	grep -E '^(arch/x86/mm|block|drivers/tty|fs|init|io_uring|ipc|kernel|mm|net)/' | LC_ALL=C sort | LC_ALL=C awk '
	$1 != file { if (file) print line; file = $1; files++; line = $1 ":" }
	length(line) + length($2) > 148 { print line; line = "\t" $2; next }
	{ line = line " " $2 }
	END { print line; print "end " files }'
