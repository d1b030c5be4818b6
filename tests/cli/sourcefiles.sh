# SPDX-License-Identifier: GPL-2.0-or-later
# tapset/sourcefiles.txt, the functions of the kernel's source files: it is read for points that need it, and refused,
# with the line and what to do, when it is missing or damaged.
# guards: translator/drift translator/probe/function tapset/sourcefiles.txt
. "$TOP/tests/cli/expect.inc"

# A tree with a library of its own.
mkdir -p tree/bin
ln -s "$TOP/runtime" tree/runtime
cp -R "$TOP/tapset" tree/tapset
cp "$TOP/$B/bin/stap" tree/bin/stap
table=tree/tapset/sourcefiles.txt
remedy='install stap again: this file comes with it'
places() { check "$@" -- tree/bin/stap -p2 -r "$KERNEL" -e 'probe kernel.function("sock_poll*@net/socket.c") { }'; }

places 0 '/kernel.function\("sock_poll"\)' '/have the same functions as in kernel 6.1'

# damage LINE TEXT COMMAND…: what a filter makes of the table is refused in that line with that text
damage() {
	local line=$1 text=$2
	shift 2
	"$@" < "$TOP/tapset/sourcefiles.txt" > $table
	places 3 "/tree/tapset/sourcefiles.txt:$line: $text; $remedy" '!sock_poll"\)'
}
lines=$(wc -l < "$TOP/tapset/sourcefiles.txt")
damage 5 "there is no line 'kernel VERSION' before" sed 5d
damage 6 'these functions have no file' sed 's/^arch.*cpu_entry_area.c: /	/'
damage 8 'this is not a file and its functions' sed '8s/.*/garbage/'
damage 7 'this is not a list of functions' sed '7s/$/ a-b/'
damage 7 'this is not a list of functions' sed '7s/ /  /'
damage $((lines - 1)) 'files are missing before this line' sed 6d
damage $((lines + 1)) 'there is text after the end' sed '$s/$/\nmore/'
damage 101 'the file ends too soon' head -n 100
damage 1 'the file ends too soon' true
damage 6 'this is not a file and its functions' sed '6s/.*/\xff\xfe/'

head -c 1000 "$TOP/tapset/sourcefiles.txt" > $table
printf '\0more\n' >> $table
places 3 "/tree/tapset/sourcefiles.txt: byte 1000 is 0; $remedy"

rm $table
places 3 "/tree/tapset/sourcefiles.txt: No such file or directory; $remedy"
# Nothing else asks for it.
check 0 -- tree/bin/stap -p2 -r "$KERNEL" -e \
	'probe kernel.function("sock_poll"), kernel.function("vfs_read@fs/read_write.c") { }'
finish
