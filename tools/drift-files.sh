#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Prints translator/drift/data/sourcefiles.def: the functions of each source file of a kernel, from its debuginfo
# ($SYSTEMTAP_DEBUGINFO_PATH). Names that several files have are left out, and so are files that nobody asks for.
# usage: tools/drift-files.sh [RELEASE] >translator/drift/data/sourcefiles.def
set -e
release=${1:-$(uname -r)}
stap=${STAP:-build/bin/stap}
cat <<END
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source files and their functions in kernel $release; made by tools/drift-files.sh. ROW(file, names). */
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
	$1 != file { if (file) print line "\")"; file = $1; line = "ROW(\"" $1 "\", \"" $2; next }
	length(line) + length($2) > 155 { print line " \""; line = "\t\"" $2; next }
	{ line = line " " $2 }
	END { print line "\")" }'
