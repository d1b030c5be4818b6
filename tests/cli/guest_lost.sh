# SPDX-License-Identifier: GPL-2.0-or-later
# A guest whose files another process on this machine takes away has not crashed: the loss is reported, and the guest
# still ends at its time. The kernel of an emulated PC is told not to doubt the timer, which is late on a busy machine.
# skip: no_kernel
# skip: no_program qemu-system-x86_64
# skip: [ "$(id -u)" != 0 ] && echo "needs root"
. "$TOP/tests/cli/expect.inc"
mkdir bin
cat > bin/qemu-system-x86_64 <<'END_SH'
#!/bin/bash
for word; do
	case $word in
	*path=*/status)
		files=${word##*path=} files=${files%/status}
		exec 3<> "$files/out.out" 4<> "$files/err.out" # the readers wait for that
		rm -r "$files"
		;;
	console=*) echo "$word" > "$OPTIONS" ;;
	esac
done
[ -z "${files-}" ] || [ -z "${STAYS-}" ] || exec sleep 1000
END_SH
chmod +x bin/qemu-system-x86_64
vm="env PATH=$PWD/bin:$PATH OPTIONS=$PWD/options ${STAP%/*}/stap-vm --arch x86_64 --root /"
check 4 '/^stap-vm: .*/stap-vm\.[^ ]* was removed while the guest ran$' '!died' -- $vm -- true
grep -q ' no_timer_check ' options || say_wrong "options: $(cat options)"
check 4 '/was removed while the guest ran$' -- env STAYS=1 $vm --timeout 1 -- true
finish
