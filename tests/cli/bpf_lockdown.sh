# SPDX-License-Identifier: GPL-2.0-or-later
# A program of --runtime=bpf, without a signature, on a kernel that is locked down for integrity: in a guest of each
# kernel below BPF_KERNELS, trees as stap-fetch-kernel makes them (6.12 or later). Where nobody may read the kernel's
# memory, staprun --check says so. The same after Secure Boot, which locks these kernels down, where the machine has
# OVMF and sbsign.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ -z "${BPF_KERNELS-}" ] && echo "not here: BPF_KERNELS names no kernels"
# skip: [ ! -e /sys/kernel/btf/vmlinux ] && echo "not here: the kernel does not tell its types"
. "$TOP/tests/cli/expect.inc"

"$STAP" --runtime=bpf -w -p4 -m NAME -e 'global n
	probe kernel.function("vfs_read").call { n++ }
	probe timer.ms(500) { println("seen ", n > 0) exit() }' > out 2> err || say_wrong "-p4"
cat > inside << 'END'
[ -e /sys/kernel/security/lockdown ] || mount -t securityfs securityfs /sys/kernel/security
grep -q integr /sys/kernel/security/lockdown && echo integrity > /sys/kernel/security/lockdown
cat /sys/kernel/security/lockdown
"$STAPRUN" --check NAME.bpf | tail -n 1
"$STAPRUN" NAME.bpf
echo confidentiality > /sys/kernel/security/lockdown
"$STAPRUN" --check NAME.bpf | grep memory
END
cat > booted << 'END'
dmesg | grep -io 'secure boot enabled'
[ -e /sys/kernel/security/lockdown ] || mount -t securityfs securityfs /sys/kernel/security
cat /sys/kernel/security/lockdown
"$STAPRUN" NAME.bpf
END
export STAPRUN=${STAP%/*}/staprun
for tree in ${BPF_KERNELS:-}; do
	STAP_KERNELS=$tree check 0 '/none \[integrity\]' '/^NAME can run on kernel' '/^seen 1$' \
		"/^missing: the kernel's memory; the kernel is locked down" -- \
		"$TOP/build/bin/stap-vm" --smp 2 --timeout 300 -- bash ./inside
	command -v sbsign > /dev/null && [ -e /usr/share/ovmf/PkKek-1-snakeoil.key ] || continue
	STAP_KERNELS=$tree check 0 '/^Secure boot enabled$' '/none \[integrity\]' '/^seen 1$' -- \
		"$TOP/build/bin/stap-vm" --secure-boot --smp 2 --timeout 300 -- bash ./booted
done
finish
