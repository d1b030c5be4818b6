# SPDX-License-Identifier: GPL-2.0-or-later
# staprun runs programs of --runtime=bpf: its options, the groups, signatures and the directory of root's, as for
# modules; and what a member of stapusr can try with a process that has CAP_BPF and CAP_PERFMON: none of it is left to
# the user, nor to commands.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: ! unshare -m true 2> /dev/null && echo "not here: namespaces of mounts"
# skip: no_program openssl setpriv python3
[ -n "${BPF_STAPRUN-}" ] || BPF_STAPRUN=1 exec unshare -m bash "$0"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"
needs_bpf 'probe kernel.trace("sys_enter") { exit() }'

cat > x.stp << 'END'
global n = 3, s = "none", hits
probe kernel.trace("sys_enter") { hits++ }
probe begin { printf("begun %d %s %d\n", n, s, target() != 0) }
probe timer.ms(100) { if (n == 3 && hits) exit() }
probe end { println("ended") }
END
bpf() { "$STAP" --runtime=bpf -w -p4 "$@" > out 2>&1 || say_wrong "stap $*"; }
bpf -m dev --globals x.stp
bpf -m sys --privilege=stapsys x.stp
bpf -m commands --privilege=stapsys -e 'probe begin { system("id -u; grep Cap /proc/self/status; echo $FOO") }
	probe timer.ms(300) { exit() }'
files=$PWD

# ---- groups, a set-uid staprun, a key, the directory of root's: in a namespace of mounts ----
cp /etc/group groups
printf 'stapusr:x:5001:\nstapsys:x:5002:\nstapdev:x:5003:\n' >> groups
mount --bind groups /etc/group
mkdir -p /etc/stap && mount -t tmpfs none /etc/stap
mount -t tmpfs -o mode=755 none /mnt
mount -t tmpfs none /lib/modules 2> /dev/null || { mkdir -p /lib/modules && mount -t tmpfs none /lib/modules; }
keys=/etc/stap/trusted place=/lib/modules/$(uname -r)/systemtap
mkdir -p $keys "$place" /mnt/sbin /mnt/own
install -m 755 "${STAP%/*}"/{stapio,stap-merge} /mnt/sbin
install -o root -g 5001 -m 4750 "${STAP%/*}/staprun" /mnt/sbin
install -m 755 "${STAP%/*}/staprun" /mnt/own
as() {
	local user=$1 groups=$2
	shift 2
	setpriv --reuid "$user" --regid "$user" --groups "$groups" --inh-caps=-all "$@"
}
start() { exec setpriv --reuid "$1" --regid "$1" --groups "$2" --inh-caps=-all "${@:3}"; }
usr() { as 6001 5001 "$@"; }
sys() { as 6001 5001,5002 "$@"; }
dev() { as 6001 5001,5003 "$@"; }
other() { as 6002 5001 "$@"; }
install -d -o 6001 -g 6001 /mnt/ann && cd /mnt/ann || exit
PATH=/mnt/sbin:$PATH
mine() { install -o 6001 -g 6001 -m 755 "$files"/{dev,sys,commands}.bpf .; }
openssl genpkey -algorithm ed25519 -out "$files/key.pem"
openssl pkey -in "$files/key.pem" -pubout -out $keys/builder.pem
sign() { for f; do openssl pkeyutl -sign -inkey "$files/key.pem" -rawin -in "$f" -out "$f.sig"; done; }
check() { # in ann, whose files the output is not among
	local status=$1 has=() r
	shift
	while [ "$1" != -- ]; do
		has+=("$1")
		shift
	done
	shift
	"$@" > "$files/out" 2> "$files/err" < /dev/null
	[ $? = "$status" ] || { cat "$files/err"; say_wrong "'$*': not status $status"; }
	for r in "${has[@]}"; do
		case $r in
		/*)
			cat "$files"/{out,err} | grep -qE -- "${r#/}" ||
				{ cat "$files"/{out,err}; say_wrong "'$*': no line: $r"; }
			;;
		!*) ! cat "$files"/{out,err} | grep -qE -- "${r#!}" || say_wrong "'$*': a line: $r" ;;
		esac
	done
}
mine

# ---- who may run what ----
chmod 4755 /mnt/sbin/staprun
check 4 '/only root and members of the group stapusr' -- as 6001 6001 staprun ./sys.bpf
chmod 750 /mnt/sbin/staprun
check 4 '/neither set-uid root nor has it the capabilities that programs of --runtime=bpf need' -- \
	dev staprun ./sys.bpf
chmod 4750 /mnt/sbin/staprun
check 4 '/it is made for stapdev' -- sys staprun dev.bpf
check 4 '/it is made for stapsys' '!made with stap --privilege=stapusr' '/may load programs that root has put' -- \
	usr staprun sys.bpf
check 4 '/it is not signed' -- sys staprun sys.bpf
sign {dev,sys,commands}.bpf
check 0 '/^begun 3 none 0$' '/^ended$' -- sys staprun sys.bpf
check 4 '/it is made for stapdev' -- sys staprun dev.bpf
check 4 '/it is made for stapsys' -- usr staprun sys.bpf
check 0 '/^begun 3 none 0$' -- dev staprun dev.bpf
# Forged: another program with the facts of one that is signed; one byte changed, more, less; a cut file.
cp /bin/true forged.bpf
tail -c 1000 sys.bpf >> forged.bpf
cp sys.bpf.sig forged.bpf.sig
chown 6001 forged*
check 4 '/it is not signed|not a program that stap' -- sys staprun forged.bpf
# changed FILE OFFSET: changes one bit.
changed() { python3 -c 'import sys
f = open(sys.argv[1], "r+b")
f.seek(int(sys.argv[2]))
bits = f.read(1)[0]
f.seek(-1, 1)
f.write(bytes([bits ^ 4]))' "$@"; }
# summed FILE: writes the checksums again, as somebody does who means the change (uapi/bpfimage.h).
summed() {
	python3 - "$1" << 'END'
import struct, sys
def sum_of(data):
    value = 2166136261
    for byte in data:
        value = (value ^ byte) * 16777619 & 0xffffffff
    return value
f = open(sys.argv[1], "r+b")
file = bytearray(f.read())
sums, = struct.unpack_from("<I", file, len(file) - 16)
table = len(file) - 24 - (4 * sums + 7) // 8 * 8
for i in range(sums):
    struct.pack_into("<I", file, table + 4 * i, sum_of(file[4096 * i:min(4096 * (i + 1), table)]))
struct.pack_into("<I", file, len(file) - 12, sum_of(file[table:len(file) - 12]))
f.seek(0)
f.write(file)
END
}
changed sys.bpf 5000
summed sys.bpf
check 4 '/not by a key in' -- sys staprun sys.bpf
mine
# Damage is found wherever it is, and its place named; a program that is started by itself finds it, too.
for at in 40 5000 100000 $(($(stat -c %s dev.bpf) - 30)); do
	cp dev.bpf damaged.bpf
	changed damaged.bpf $at
	check 4 '/damaged.bpf: damaged in the 4096 bytes from offset [0-9]+ on$' -- dev staprun damaged.bpf
done
cp dev.bpf damaged.bpf
changed damaged.bpf 5000
check 4 '/damaged.bpf: damaged in the 4096 bytes from offset 4096 on$' -- dev staprun damaged.bpf
check 1 '/: Operation not permitted; it needs root, or CAP_BPF and CAP_PERFMON$' -- other ./dev.bpf
cp dev.bpf elsewhere.bpf
printf '\363' | dd of=elsewhere.bpf bs=1 seek=18 conv=notrunc 2> /dev/null
summed elsewhere.bpf
check 4 '/elsewhere.bpf: a program for another architecture$' -- dev staprun elsewhere.bpf
check 4 '/elsewhere.bpf: a program for another architecture$' -- dev staprun --check elsewhere.bpf
cp dev.bpf damaged.bpf
changed damaged.bpf 100000
check 1 '/it is damaged' -- ./damaged.bpf
head -c -8 sys.bpf > cut.bpf
check 4 '/not a program that stap --runtime=bpf has made, or cut' -- dev staprun cut.bpf
check 4 '/not a program that stap --runtime=bpf has made' -- dev staprun -- /bin/true
chmod o+w sys.bpf
check 4 '/everybody may write it' -- sys staprun sys.bpf
chmod 755 sys.bpf
# Files that others may not read, devices, FIFOs.
check 4 '/Permission denied' -- sys staprun "$files/key.pem"
mkfifo fifo.bpf && check 4 '/not a regular file' -- dev staprun fifo.bpf
# In its place, whatever the mark; not by a link, nor after a module of that name.
install -m 755 "$files/dev.bpf" "$place"
check 0 '/^begun 4 text 0$' -- usr staprun --timeout=1 dev n=4 s=text
ln -s /mnt/ann/sys.bpf "$place/link.bpf"
check 4 '/a symbolic link' -- usr staprun link
chmod 777 "$place" && check 4 '/users other than root may write to its directory' -- usr staprun dev
chmod 755 "$place"

# ---- options ----
check 4 "/dev has no parameter 'q'" '/it has: .*n.*s' -- dev staprun dev.bpf q=1
check 4 '/a parameter is NAME=VALUE' -- dev staprun dev.bpf -- -o
check 0 '/^begun 3 -x 0$' -- dev staprun dev.bpf s=-x
for option in -R -b '-S 1M' -M '-s 4' '-N 1' --on-full=throttle; do
	# shellcheck disable=SC2086
	check 4 '/programs of --runtime=bpf' -- dev staprun $option dev.bpf
done
check 4 '/-S: not for programs of --runtime=bpf' '/stap --remote direct: begins new ones' -- \
	dev staprun -S 1M -o out dev.bpf
check 0 -- dev staprun -o out.%m -t dev.bpf n=3
grep -qx 'begun 3 none 0' out.dev && [ "$(stat -c %u out.dev)" = 6001 ] || say_wrong "-o: $(ls -l)"
check 1 '/Permission denied' -- dev staprun -o $keys/x dev.bpf
check 0 '/"text": *"begun' -- dev staprun --json dev.bpf
check 0 '/^begun 9 none 1$' '/^ran$' '/^total ' -- dev staprun -t -c 'echo ran' dev.bpf n=9
check 1 '/there is no such process' -- dev staprun -x 999999 dev.bpf
check 0 '/^begun 9' '/^ended$' -- dev staprun --timeout=1 -G n=9 dev.bpf

# What it needs of a kernel, before it runs.
check 0 '/^dev: from x.stp, by .*, for stapdev$' '/^here: arena$' '/^here: tracepoint sys_enter$' \
	'/^here: CAP_BPF and CAP_PERFMON$' '/^dev can run on kernel' '!^missing' -- usr staprun --check dev.bpf
check 4 '/^missing: CAP_BPF and CAP_PERFMON; .*--cap-add=BPF' '/^dev cannot run on kernel' -- \
	usr /mnt/own/staprun --check dev.bpf
sed 's/tracepoint sys_enter/tracepoint sys_entre/' dev.bpf > other.bpf
summed other.bpf
check 4 '/^missing: tracepoint sys_entre; stap -l' -- usr staprun --check other.bpf
sed 's/tracepoint sys_enter/tricepoint sys_enter/' dev.bpf > other.bpf
summed other.bpf
check 4 '/^missing: tricepoint sys_enter; this staprun is older' -- usr staprun --check other.bpf
check 4 '/not a program that stap' -- usr staprun --check cut.bpf
check 2 '/--check takes a file and nothing else' -- usr staprun --check dev.bpf n=3

# ---- a process with two capabilities ----
before=$(loaded 6001)
exec 7< "$files/key.pem"
sign sys.bpf
(export FOO=bar LD_BIND_NOW=1 GCONV_PATH=/mnt/ann
	start 6001 5001,5002 staprun -o run.out sys.bpf n=5) 2> "$files/err" &
pid=$!
exec 7<&-
begun() { grep -qs begun "$1"; }
wait_until begun run.out || say_wrong "it does not begin"
status() { sed -n "s/^$1:[[:space:]]*//p" /proc/$pid/status; }
[ "$(status CapPrm) $(status CapInh) $(status CapAmb)" = '000000c000000000 0000000000000000 0000000000000000' ] ||
	say_wrong "capabilities: $(grep Cap /proc/$pid/status)"
[ "$(status Uid | xargs)" = '6001 6001 6001 6001' ] && [ "$(status Name)" = sys ] || say_wrong "ids: $(status Uid)"
[ -z "$(tr '\0' . < /proc/$pid/environ)" ] || say_wrong "it has an environment"
[ "$(stat -c %u /proc/$pid/environ)" = 0 ] || say_wrong "it is dumpable"
case $(readlink /proc/$pid/exe) in /memfd:sys*) ;; *) say_wrong "executed: $(readlink /proc/$pid/exe)" ;; esac
! ls -l /proc/$pid/fd | grep -q key.pem || say_wrong "it has a descriptor of its caller's"
cat > "$files/attack.py" << 'END'
import ctypes, os, resource, signal, sys
pid, libc, failed = int(sys.argv[1]), ctypes.CDLL(None, use_errno=True), []
def refused(what, result):
    if result >= 0:
        failed.append(what)
refused("ptrace attach", libc.ptrace(16, pid, 0, 0))
refused("ptrace seize", libc.ptrace(0x4206, pid, 0, 0))
buf = ctypes.create_string_buffer(8)
iov = (ctypes.c_void_p * 2)(ctypes.addressof(buf), 8)
there = (ctypes.c_void_p * 2)(0x10000, 8)
refused("process_vm_readv", libc.process_vm_readv(pid, iov, 1, there, 1, 0))
refused("process_vm_writev", libc.process_vm_writev(pid, iov, 1, there, 1, 0))
pidfd = os.pidfd_open(pid)
refused("pidfd_getfd", libc.syscall(438, pidfd, 3, 0))
for name in "mem", "environ", "exe", "maps", "fd/3", "cwd":
    try:
        open("/proc/%d/%s" % (pid, name), "rb").read(8)
        failed.append(name)
    except OSError:
        pass
os.kill(pid, signal.SIGSTOP)
os.kill(pid, signal.SIGCONT)
print(" ".join(failed) or "refused")
END
cp "$files/attack.py" .
start 6001 5001 sleep 1000 & idle=$!
wait_until grep -qx 'sleep' /proc/$idle/comm
check 0 '/environ' -- usr /usr/bin/python3 attack.py $idle
kill $idle
check 0 '/^refused$' -- sys /usr/bin/python3 attack.py $pid
check 1 "/another user's: left alone" -- other staprun -d sys
check 1 "/another user's: left alone" -- other staprun --status sys
check 0 '/^run [0-9]+$' '/^owner.6001$' "/^pid.$pid\$" '/^name.sys$' '/^state' -- usr staprun --status sys
check 0 -- usr staprun --switch=1:off sys
check 1 '/has no such probe' -- usr staprun --switch=77:off sys
check 0 '/^ended$' -- sh -c 'setpriv --reuid 6001 --regid 6001 --groups 5001 staprun -d sys && cat run.out'
wait $pid || say_wrong "-d: status $?"
check 1 '/no module sys is loaded' -- usr staprun -d sys
no_more() { [ "$(loaded 6001)" -le "$before" ]; }
wait_until no_more || say_wrong "programs are left: $(loaded 6001), there were $before"

# Killed: nothing is left.
start 6001 5001,5003 staprun -o killed.out dev.bpf n=5 & pid=$!
wait_until begun killed.out
[ "$(loaded 6001)" -gt "$before" ] || say_wrong "no program is loaded"
check 0 '/^global' -- dev staprun --globals dev
# Another user's false sockets of that run: one whose queue is full, one that closes at once. Nobody waits for them, nor
# is ended by them. A name of the script with lines of its own adds none to the answer.
cat > /mnt/false.py << 'END'
import socket, threading
def bound(number):
    s = socket.socket(socket.AF_UNIX)
    s.bind("\0stap-run/dev/%d" % number)
    s.listen(0)
    return s
full, waiting = bound(1), []
for i in range(3):
    s = socket.socket(socket.AF_UNIX)
    s.setblocking(False)
    try:
        s.connect("\0stap-run/dev/1")
    except OSError:
        pass
    waiting.append(s)
closing = bound(2)
print("bound", flush=True)
while True:
    closing.accept()[0].close()
END
setpriv --reuid 6002 --regid 6002 --clear-groups /usr/bin/python3 /mnt/false.py > "$files/false.out" & false=$!
wait_until grep -q bound "$files/false.out"
for i in 1 2 3 4 5; do
	check 0 '/^owner.6001$' "/^pid.$pid\$" -- dev sh -c 'timeout 9 staprun --status dev; [ $? -le 1 ]'
done
kill $false
{ wait $false; } 2> /dev/null || :
kill -9 $pid
{ wait $pid; } 2> /dev/null || :
wait_until no_more || say_wrong "killed: $(loaded 6001) programs are left, there were $before"

# Without a reader, as with modules: its user, other members of stapdev and root may attach, those of stapusr may not.
other_dev() { as 6002 5001,5003 "$@"; }
check 0 '/^dev goes on without a reader' -- dev staprun -L dev.bpf n=5
check 1 "/program dev is another user's: left alone" -- other staprun -A dev
check 1 "/program dev is another user's: left alone" -- other staprun -d dev
check 1 "/program dev is another user's: left alone" -- other staprun --status dev
check 0 '/^owner.6001$' -- other_dev staprun --status dev
check 0 '/^begun 5 none 0$' '/^ended$' -- other_dev staprun -A --timeout=0 dev
check 0 '/^dev goes on without a reader' -- dev staprun -L dev.bpf n=5
check 0 '/^owner.6001$' '/^kept.1$' -- dev staprun --status dev
check 0 '/^begun 5 none 0$' '/^ended$' -- dev staprun -A --timeout=0 dev
check 0 '/^dev goes on without a reader' -- dev staprun -L dev.bpf n=6
check 0 '/^begun 6 none 0$' '/^ended$' -- staprun -A --timeout=0 dev

# Commands have the environment and the rights of the user, and no more.
sign commands.bpf
check 0 '/^6001$' '/^CapPrm:.0000000000000000$' '/^CapAmb:.0000000000000000$' '/^bar$' \
	'!Cap(Prm|Eff|Inh|Amb):.0*[1-9a-f]' -- sys env FOO=bar staprun commands.bpf
check 0 '/^CapPrm:.0000000000000000$' '/^FOO=bar$' '!^LD_PRELOAD' -- \
	dev env FOO=bar staprun -c 'sh -c "grep CapPrm /proc/self/status; env"' dev.bpf n=9
# Closed descriptors, ignored signals, low limits.
check 0 -- dev sh -c 'exec staprun -o closed.out dev.bpf <&- 2>&- >&-'
wait_until grep -q ended closed.out || say_wrong "closed descriptors"
check 0 '/^ended$' -- dev sh -c 'trap "" CHLD TERM USR1; exec staprun -c true dev.bpf n=9'
# A time zone of the user's choice is not read: it would block here.
check 0 '/^ended$' -- dev timeout 20 env TZ=:/mnt/ann/fifo.bpf TZDIR=/mnt/ann staprun dev.bpf
# In the background, with parameters of more than half the room that there is; and a script's name with a line in it.
check 0 '/^[0-9]+$' -- dev staprun -D -o long.out dev.bpf n=5 "s=$(head -c 9000 /dev/zero | tr '\0' a)" \
	--script=$'x\nowner\t0'
wait_until begun long.out && check 0 '/^owner.6001$' '!^owner.0$' -- dev staprun --status dev
check 0 -- dev staprun -d dev
check 0 '/^[0-9]+$' -- dev staprun -D -o back.out dev.bpf n=5
wait_until begun back.out && check 0 -- dev staprun -d dev
grep -qx ended back.out || say_wrong "-D: $(cat back.out)"
# stap of a user has staprun start its programs.
mkdir /mnt/share && ln -s "$TOP" /mnt/share/stap && install -m 755 "$STAP" /mnt/sbin
check 0 '/^hello 5$' -- dev env HOME=/mnt/ann TMPDIR=/mnt/ann SYSTEMTAP_DIR=/mnt/ann/.systemtap \
	stap --runtime=bpf -w -G n=5 -e '
	global n probe begin { println("hello ", n) exit() }'

# ---- capabilities instead of a set-uid staprun ----
caps=+bpf,+perfmon
check 0 '/^begun 3' -- setpriv --reuid 6003 --regid 6003 --clear-groups --inh-caps=$caps --ambient-caps=$caps \
	/mnt/own/staprun "$place/dev.bpf"
chgrp 5001 /mnt/own/staprun
if command -v setcap > /dev/null && setcap cap_bpf,cap_perfmon+ep /mnt/own/staprun 2> /dev/null; then
	check 0 '/^begun 3' -- dev /mnt/own/staprun dev.bpf
	check 4 '/it is not signed' -- sh -c 'rm -f sys.bpf.sig
		setpriv --reuid 6001 --regid 6001 --groups 5001,5002 /mnt/own/staprun sys.bpf'
fi
finish
