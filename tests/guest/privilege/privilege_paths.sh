# Paths that are not what they seem: ../, symbolic links, FIFOs and devices, files that change while they are read and
# between check and use, mounts of the user's own.
# skip: no_program openssl
# guards: staprun stapio runtime tests/guest/privilege.inc lib trace
. "$TOP/tests/guest/privilege.inc"
mine ann
mkdir -p "$place"
sign ann/t_for_everybody.ko
chown 6001 ann/*.sig

# The place is one directory of root's, and what lies in it: nothing that leads out of it.
install -m 644 "$MODULES/t_for_everybody.ko" "$place"
for path in "$place/../systemtap/../../../..$work/ann/t_endless.ko" "$place//../t_endless.ko" \
	"$place/./../../../..$work/ann/t_endless.ko"; do
	refused 4 'it is made for stapdev|No such file' usr staprun "$path"
done
for name in ../../../../..$work/ann/t_endless "..$work" . ..; do
	refused 4 'it is made for stapdev|No such file|not a regular file|Is a directory' usr staprun "$name"
done
ln -s "$work/ann/t_endless.ko" "$place/t_endless.ko"
refused 4 'a symbolic link' usr staprun t_endless
rm "$place/t_endless.ko"
ln "$work/ann/t_endless.ko" "$place/t_endless.ko" 2> /dev/null ||
	install -o 6001 -m 644 ann/t_endless.ko "$place/t_endless.ko"
refused 4 'users other than root may write to it' usr staprun t_endless
rm "$place/t_endless.ko"
install -m 666 ann/t_endless.ko "$place"
refused 4 'users other than root may write to it' usr staprun t_endless
chmod 644 "$place/t_endless.ko"
chmod 777 "$place"
refused 4 'users other than root may write to its directory' usr staprun t_endless
chmod 755 "$place"
chown 6001 "$place"
refused 4 'users other than root may write to its directory' usr staprun t_endless
chown 0 "$place"
rm "$place/t_endless.ko"
# A mount within the place is another file system: what a user could mount there is not root's.
mkdir "$work/fs"
mount -t tmpfs none "$work/fs"
install -m 644 "$MODULES/t_endless.ko" "$work/fs"
: > "$place/t_endless.ko"
mount --bind "$work/fs/t_endless.ko" "$place/t_endless.ko"
refused 4 'cross-device' usr staprun t_endless
umount "$place/t_endless.ko" "$work/fs"
rm "$place/t_endless.ko"
# In a namespace of the user's own, root is only called so.
status=0; usr unshare -Urm sh -c "mount --bind $work/ann $place && staprun t_endless" > out 2> err || status=$?
[ $status != 0 ] && ! loaded t_endless || fail "a user's own mount: status $status"

echo "the place: $SECONDS s"
# Files that are none, or not the user's to read.
mkfifo ann/fifo.ko
refused 4 'not a regular file' setpriv --reuid 6001 --regid 6001 --groups 5001 staprun ann/fifo.ko
refused 4 'not a regular file' usr staprun /dev/zero
refused 4 'not a regular file|Is a directory' usr staprun ann/
install -m 600 "$MODULES/t_endless.ko" secret.ko
refused 4 'secret.ko: Permission denied' usr staprun secret.ko
ln -s "$work/secret.ko" ann/link.ko
refused 4 'link.ko: Permission denied' usr staprun ann/link.ko
install -m 600 ann/t_for_everybody.ko.sig secret.sig
install -m 644 ann/t_for_everybody.ko ann/t_x.ko
ln -s "$work/secret.sig" ann/t_x.ko.sig
refused 4 't_x.ko.sig: Permission denied' usr staprun ann/t_x.ko
install -o 6002 -m 644 ann/t_for_everybody.ko bobs.ko
refused 4 'it belongs neither to root nor to you' usr staprun bobs.ko
chmod 666 ann/t_x.ko
refused 4 'everybody may write it' usr staprun ann/t_x.ko
truncate -s 300M ann/large.ko
chown 6001 ann/large.ko
refused 4 'too large|Cannot allocate memory' usr staprun ann/large.ko
for size in 0 63 64 5000; do
	head -c $size "$MODULES/t_endless.ko" > ann/cut.ko
	refused 4 'cut.ko: ' usr staprun ann/cut.ko
done

echo "files: $SECONDS s"
# One file for the check, another for the kernel: by names that change hands, and by a file that is written anew all the
# time.
mkdir ann/swap
cp "$MODULES/t_for_everybody.ko" ann/swap/good
cp "$MODULES/t_endless.ko" ann/swap/evil
cp ann/t_for_everybody.ko.sig ann/swap/m.ko.sig
chown -R 6001:6001 ann/swap
cat > ann/swap/loop << 'LOOP'
cd "$1"
while :; do
	ln -s good new; mv -f new m.ko
	ln -s evil new; mv -f new m.ko
done
LOOP
cat > ann/swap/write << 'LOOP'
cd "$1"
while :; do cat good > m.ko; cat evil > m.ko; done
LOOP
for how in loop write; do
	rm -f ann/swap/m.ko
	start 6001 5001 sh ann/swap/$how "$work/ann/swap" 2> /dev/null & swap=$!
	for _ in $(seq "${SLOW:+15}3"); do
		usr staprun --timeout=1 ann/swap/m.ko word=good > out 2> err || :
		# The module for stapdev prints "begun" alone.
		! grep -qx begun out || { kill $swap; fail "$how: what ran was not what was signed"; }
		! grep -q '^t_' /proc/modules || { kill $swap; fail "$how: left loaded"; }
	done
	kill $swap
	wait $swap 2> /dev/null || :
done
