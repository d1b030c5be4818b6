# SPDX-License-Identifier: GPL-2.0-or-later
# Tapsets that programs install for their own markers are found, after the library; libraries are found by the name that
# compilers use.
# skip: no_kernel || no_namespace
. "$TOP/tests/cli/expect.inc"

stap="$STAP -r $KERNEL"
printf '#include <sys/sdt.h>\nvoid sell(int what, long price) { STAP_PROBE2(shop, sale, what, price); }\n' > shop.c
${CC:-gcc} -I "$TOP/include" -shared -fPIC -o libshop.so.10 shop.c && cp libshop.so.10 libshop.so.2 ||
	say_wrong "cannot build the library"
cat > shop.stp << END
/** shop.sale - somebody buys */
probe shop.sale = process("$PWD/libshop.so").mark("sale") { price = \$arg2 }
function ctime:string(t:long) { return "never" }
END
# ./with FOLDER COMMAND: where programs have put shop.stp, and SystemTap, where FOLDER says so, its own things.
cat > with << 'END'
#!/bin/sh
mount -t tmpfs none /usr/share && mkdir -p /usr/share/systemtap/tapset/shop $1 &&
	cp shop.stp /usr/share/systemtap/tapset/shop && shift && exec "$@"
END
chmod +x with
with="unshare -m ./with"
check 0 "/^shop.sale price:long\$" -- $with "" $stap -L shop.sale
check 0 "/process\\(\"$PWD/libshop.so.10\"\\)\\.mark\\(\"sale\"\\)" \
	-- $with "" $stap -p2 -e 'probe shop.sale { println(ctime(0)) }'
check 0 "/^19" -- $with "" $STAP --runtime=user -e 'probe begin { println(substr(ctime(0), 20, 2)); exit() }'
check 1 "/unknown probe point 'shop.sale'" -- $with /usr/share/systemtap/runtime $stap -p2 -e 'probe shop.sale { }'
check 0 "/^shop.sale price:long\$" \
	-- $with /usr/share/systemtap/runtime $stap -I /usr/share/systemtap/tapset/shop -L shop.sale
check 1 "/unknown probe point 'shop.sale'" \
	-- $with "" env SYSTEMTAP_TAPSET=$TOP/tapset $stap -p2 -e 'probe shop.sale { }'
finish
