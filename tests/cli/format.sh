# SPDX-License-Identifier: GPL-2.0-or-later
# C files are formatted as by clang-format 14 with .clang-format; other versions differ. sys/sdt.h is left out, because
# blanks in its macros reach the assembler.
# skip: no_program clang-format-14
. "$TOP/tests/cli/expect.inc"
cp "$TOP/.clang-format" .
printf 'int  f;\n' > blank.c
check 1 '/blank.c:1:4: error' -- clang-format-14 --style=file --dry-run -Werror blank.c

cd "$TOP" || exit
mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.c' '*.h' | grep -vx include/sys/sdt.h)
[ ${#files[@]} -gt 1000 ] || say_wrong "only ${#files[@]} files were found"
cd "$WORK" || exit
check 0 -- env -C "$TOP" clang-format-14 --style=file --dry-run -Werror "${files[@]}"
finish
