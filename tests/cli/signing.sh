# SPDX-License-Identifier: GPL-2.0-or-later
# Modules signed for kernels that accept no others: with a user's own key, the result is byte for byte that of the
# kernel's sign-file.
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/lib.sh"
stap="$STAP -r $KERNEL"
key=keys/key.pem cert=keys/cert.der

check 0 '/^    mokutil --import keys/cert\.der ' -- $STAP --make-key=keys
[ "$(stat -c %a $key)" = 600 ] || say_wrong "others can read the key"
openssl x509 -inform der -in $cert -noout -text > out || say_wrong "no certificate"
grep -q 'Code Signing, 1.3.6.1.4.1.2312.16.1.2$' out && grep -q 'CA:FALSE' out ||
	say_wrong "the boot loader would take a kernel signed by it"
check 3 '/keys/key.pem: File exists' -- $STAP --make-key=keys

hello='probe begin { exit() }'
check 0 -- $stap -p4 -m t_signed --sign-module=$key,$cert -e "$hello"
# trailer: of the signature, 12 bytes with its length in the last four, then a mark of 28.
size=$(stat -c %s t_signed.ko)
len=$((16#$(tail -c 32 t_signed.ko | head -c 4 | od -An -tx1 | tr -d ' ')))
[ "$(tail -c 28 t_signed.ko)" = '~Module signature appended~' ] || say_wrong "no signature"
head -c $((size - 40 - len)) t_signed.ko > bare.ko
head -c $((size - 40)) t_signed.ko | tail -c $len > signature
openssl x509 -inform der -in $cert -out cert.pem
openssl cms -verify -inform der -in signature -content bare.ko -binary -certfile cert.pem -CAfile cert.pem \
	-purpose any -out /dev/null 2> out || say_wrong "the signature is not the module's: $(cat out)"
sign_file=$(find "$(target TREE)"/usr/lib/linux-kbuild-* "$(test_build_dir)/scripts/" -maxdepth 2 -name sign-file \
	2> /dev/null | head -n 1)
if [ -n "$sign_file" ]; then
	"$sign_file" sha256 $key $cert bare.ko by_kernel.ko
	cmp by_kernel.ko t_signed.ko || say_wrong "not what sign-file writes"
fi

# The cache has one module for each key, and one without.
check 0 -- $stap -p4 -m t_signed -e "$hello"
! tail -c 28 t_signed.ko | grep -q signature || say_wrong "signed, though nobody asked"

cat $key cert.pem > both.pem
check 0 -- $stap -p4 -m t_signed --sign-module=both.pem -e "$hello"
tail -c 28 t_signed.ko | grep -q signature || say_wrong "not signed"

check 3 '/keys/none: No such file' -- $stap -p4 -m t_signed --sign-module=keys/none -e "$hello"
check 3 '/cert.pem: no private key \(PEM\)' -- $stap -p4 -m t_signed --sign-module=cert.pem -e "$hello"
check 3 '/key.pem: no certificate \(PEM or DER\)' -- $stap -p4 -m t_signed --sign-module=$key,$key -e "$hello"
$STAP --make-key=others > out
check 3 "/others/cert.der: the certificate belongs to another key" \
	-- $stap -p4 -m t_signed --sign-module=$key,others/cert.der -e "$hello"
openssl pkcs8 -topk8 -in $key -out locked.pem -passout pass:secret
check 3 '/locked.pem: no private key' -- $stap -p4 -m t_signed --sign-module=locked.pem,$cert -e "$hello"
KBUILD_SIGN_PIN=secret check 0 -- $stap -p4 -m t_signed --sign-module=locked.pem,$cert -e "$hello"
finish
