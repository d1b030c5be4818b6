# SPDX-License-Identifier: GPL-2.0-or-later
# The services as they are installed: systemd finds nothing wrong with them, and they name programs and files that are
# there. Nothing is started: a systemd in a namespace would empty /tmp as at boot.
# skip: no_program systemd-analyze
. "$TOP/tests/cli/expect.inc"
bin=$(dirname "$STAP")
make -s -C "$TOP" install-units "DESTDIR=$PWD/root" prefix=/opt/x "bindir=$bin" > out 2>&1 ||
	say_wrong 'make install-units'
units=root/opt/x/lib/systemd/system
exporter=$([ ! -x "$bin/stap-exporter" ] || echo stap-exporter.service)
[ "$(ls $units)" = "$(printf '%s\n' $exporter stap-share.service stap@.service staprun@.service)" ] ||
	say_wrong "units: $(ls $units)"
! grep -l @bindir@ $units/* || say_wrong 'a place is not filled in'
grep -q "^ExecStart=$bin/staprun " $units/staprun@.service || say_wrong "staprun@'s program"

for unit in stap@a-script staprun@a_module; do
	cp $units/"${unit%@*}"@.service $unit.service
	check 0 -- systemd-analyze verify --man=no "./$unit.service"
	[ ! -s err ] || say_wrong "$unit: systemd complains"
done
grep -q "^ExecStart=$bin/stap-prep " $units/stap-share.service || say_wrong "stap-share's program"
check 0 -- systemd-analyze verify --man=no $units/stap-share.service
[ ! -s err ] || say_wrong 'stap-share: systemd complains'
if [ -n "$exporter" ]; then
	grep -q "^ExecStart=$bin/stap-exporter " $units/$exporter || say_wrong "the exporter's program"
	check 0 -- systemd-analyze verify --man=no $units/$exporter
	[ ! -s err ] || say_wrong "$exporter: systemd complains"
fi
# The check can fail.
sed 's/^Restart=.*/Restart=perhaps/' stap@a-script.service > stap@wrong.service
systemd-analyze verify --man=no ./stap@wrong.service 2>&1 | grep -q perhaps || say_wrong 'nothing is checked'

make -s -C "$TOP" -n uninstall "DESTDIR=$PWD/root" prefix=/opt/x > out 2>&1
for unit in stap@ staprun@ stap-share; do
	grep -q " $PWD/$units/$unit.service" out || say_wrong "uninstall leaves $unit.service"
done
for page in stap@.service.8 staprun@.service.8; do
	man -E UTF-8 -l "$TOP/man/$page" > page 2> err || say_wrong "$page"
done
man -E UTF-8 -l "$TOP/man/stap@.service.8" 2> err | tr -s ' \n' ' ' > page
for word in /etc/stap/scripts/NAME.conf /etc/stap/modules/NAME.conf /var/cache/stap /var/log/stap \
	/etc/stap/signing/key.pem; do
	grep -q "$word" page || say_wrong "the manual page lacks $word"
done
finish
