# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel that takes only signed modules and closes debugfs, as Secure Boot leaves it: a signed module works as usual;
# one without a signature, with another key's, or changed afterwards is refused, with the remedy. All are refused if
# nobody may read the kernel's memory. A machine of --remote is asked whether it is such a kernel. With a key in
# /etc/stap/signing stap signs by itself, and so does the command of a service.
# skip: no_kernel || no_program sbsign
# skip: [ ! -e /usr/share/ovmf/PkKek-1-snakeoil.key ] && echo "ovmf is not installed"
# guards: vm translator/build staprun runtime/kernel stap/remote stap/doctor
. "$TOP/tests/cli/expect.inc"
stap="$STAP -r $KERNEL"

key=/usr/share/ovmf/PkKek-1-snakeoil
openssl pkey -in $key.key -passin pass:snakeoil -out key
$STAP --make-key=others > out || cat out
sign="--sign-module=$PWD/key,$key.pem"
cat > program.c <<'END_C'
__attribute__((noinline)) int probed(int k) { return k + 1; }
int main(int n, char **v) { return probed(n) == 0; }
END_C
${CC:-gcc} -g -O1 -o program program.c || say_wrong "cannot build the program"
cat > all.stp <<'END_STP'
global n
probe begin { println("hello") }
probe kernel.function("vfs_read") { n["function"]++ }
probe kernel.function("vfs_read").return { n["return"]++ }
probe kernel.trace("sched_switch") { n["trace"]++ }
probe process("./program").function("probed") { printf("program %d\n", $k) }
probe procfs("value").read { $value = "value\n" }
probe timer.ms(10) { if (n["function"] && n["return"] && n["trace"]) { println("all") delete n } }
END_STP
$stap -p4 -m t_all $sign all.stp > out 2>&1 || cat out
$stap -p4 -m t_bare all.stp > out 2>&1 || cat out
$stap -p4 -m t_other --sign-module=others/key.pem,others/cert.der all.stp > out 2>&1 || cat out
echo 'probe begin { println("from afar") exit() }' > afar.stp
scripts=$PWD/etc/stap/scripts
mkdir -p "$scripts" && cp afar.stp "$scripts/signed.stp" && echo 'OPTIONS=-m t_afar' > "$scripts/signed.conf"
for script in afar.stp "$scripts/signed.stp"; do # for the cache
	$stap -p4 -m t_afar $sign "$script" > out 2>&1 || cat out
done
{ head -c 9000 t_all.ko; printf x; tail -c +9002 t_all.ko; } > t_changed.ko

cat > inside <<'END_SH'
cat /sys/kernel/security/lockdown
for m in t_bare t_other t_changed; do
	staprun $m.ko > said 2>&1; echo "$m: $?"
	sed "s/^/$m says: /" said
done
staprun -R t_all.ko; echo "renamed: $?"
staprun -L t_all.ko; echo "started: $?"
staprun -A -o text t_all & attached=$!
until grep -q all text || [ $SECONDS -gt 300 ]; do ./program; sleep 0.1; done
cat /proc/systemtap/t_all/value
kill -INT $attached
wait $attached; echo "ended: $?"
sort -u text
ls /proc | grep ^stap-
stap -m t_afar --remote direct: afar.stp; echo "keyless: $?"
mkdir -p /etc/stap/signing
cp key /etc/stap/signing/key.pem
cp /usr/share/ovmf/PkKek-1-snakeoil.pem /etc/stap/signing/cert.der
stap -m t_afar --remote direct: afar.stp; echo "afar: $?"
stap -m t_afar afar.stp > said 2>&1; echo "plain: $?"
sed 's/^/plain says: /' said
# What systemd would start for stap@signed, in the same environment. It uses what stap has made on the host.
mkdir -p /var/cache/stap /var/log/stap
ln -s "$SYSTEMTAP_DIR/cache" /var/cache/stap/cache
bin=$(dirname "$(command -v stap)") here=$PWD
unit() {
	sed -n "s#^$1=##p" "$TOP/units/stap@.service" |
		sed "s#@bindir@#$bin#; s#%C#/var/cache#g; s#%L#/var/log#; s#%i#signed#
			s#service run#& --root=$here#"
}
# shellcheck disable=SC2046
(cd $(unit WorkingDirectory) && eval "env -i PATH=$PATH STAP_KERNELS=${STAP_KERNELS-} $(unit Environment) \
	$(unit ExecStart)") > said 2>&1
echo "service: $?"
sed 's/^/service says: /' said
echo confidentiality > /sys/kernel/security/lockdown
staprun t_all.ko; echo "sealed: $?"
sed -n 's/^t_[^ ]*/loaded: &/p' /proc/modules
END_SH
export SYSTEMTAP_DIR=${SYSTEMTAP_DIR:-$HOME/.systemtap}
PATH=$(dirname "$STAP"):$PATH check 0 '/none \[integrity\] confidentiality' \
	'/^t_bare says: .*it has no signature, and this kernel loads only signed modules .*stap --make-key' \
	'/^t_bare: 4$' \
	'/^t_other says: .*it is signed, but by a key that this kernel does not know' '/^t_other: 4$' \
	'/^t_changed says: .*signature was rejected' '/^t_changed says: .* or was changed since' '/^t_changed: 4$' \
	'/-R changed its name, and no signature survives that' '/^renamed: 4$' \
	'/^started: 0$' '/^value$' '/^hello$' '/^all$' '/^program 1$' '/^ended: 0$' '!stap-t_' \
	'/a machine of --remote loads only signed modules, and there is no key here' '/^keyless: 3$' \
	'/^from afar$' '/^afar: 0$' '/^plain says: from afar$' '/^plain: 0$' \
	'/^service says: from afar$' '/^service: 0$' \
	'/so that its memory cannot be read, which scripts need; under lockdown=integrity' '/^sealed: 4$' '!^loaded: ' \
	-- stap-vm --secure-boot --smp 1 --dmesg dmesg -- bash ./inside
! grep -E 'BUG:|WARNING:|Oops|Call Trace' dmesg || say_wrong "the kernel complains"
finish
