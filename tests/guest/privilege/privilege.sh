# Who may load which modules: nobody without a group; stapusr and stapsys those that root has installed or that are
# signed for them; stapdev any. A script for stapusr sees only the user's processes.
# skip: no_program openssl
# guards: staprun stapio runtime tests/guest/privilege.inc lib trace
. "$TOP/tests/guest/privilege.inc"
mine ann
mkdir -p "$place"

# Without the group the file cannot even be run; called by another way, it refuses.
chmod 4755 "$sbin/staprun"
refused 4 'only root and members of the group stapusr' as 6001 6001 staprun ann/t_for_everybody.ko
refused 4 'only root and members of the group stapusr' as 6001 5002,5003 staprun ann/t_for_everybody.ko
refused 4 'only root and members of the group stapusr' as 6001 6001 staprun -d t_endless
chmod 4750 "$sbin/staprun"
chmod 755 "$sbin/staprun"
refused 4 'neither set-uid root nor has it the capabilities' usr staprun ann/t_for_everybody.ko
# A small machine has a low limit of processes: that is no reason before the real one.
refused 4 'neither set-uid root nor has it the capabilities' usr prlimit --nproc=300:300 staprun ann/t_for_everybody.ko
chmod 4750 "$sbin/staprun"

# A mark alone is the word of whoever wrote the file.
refused 4 'it is not signed' usr staprun ann/t_for_everybody.ko
refused 4 'it is not signed' sys staprun ann/t_for_stapsys.ko
refused 4 'it is made for stapdev' usr staprun ann/t_endless.ko
refused 4 'it is made for stapsys' usr staprun ann/t_for_stapsys.ko
refused 4 'no key|there is no /etc/stap/trusted|not by a key' env -C ann setpriv --reuid 6001 --regid 6001 \
	--groups 5001 sh -c 'head -c 64 /dev/zero > t_for_everybody.ko.sig; staprun t_for_everybody.ko'
sign ann/t_*.ko
refused 4 'it is made for stapdev' sys staprun ann/t_endless.ko
refused 4 'it is made for stapsys' usr staprun ann/t_for_stapsys.ko

usr staprun --timeout=1 ann/t_for_everybody.ko word=hello > out 2> err || fail "signed, for stapusr: status $?"
grep -q '^begun hello 1$' out && grep -q tick out && grep -q ended out || {
	cat out
	fail "signed, for stapusr: output"
}
# Data are made with the user's rights.
install -m 755 "$TOP/$B/bin/stap-merge" "$sbin"
usr staprun --timeout=1 --to ctf:ann/trace ann/t_for_everybody.ko > out 2> err || fail "--to by stapusr: status $?"
[ "$(stat -c %u:%g ann/trace ann/trace/metadata | sort -u)" = 6001:6001 ] || fail "--to: $(ls -l ann/trace)"
grep -q 'name = "begin";' ann/trace/metadata || fail "--to: no event: $(tail -n 20 ann/trace/metadata)"
install -d -m 755 closed
! usr staprun --timeout=1 --to ctf:closed/trace ann/t_for_everybody.ko > out 2> err || fail "--to: another's directory"
grep -q 'closed/trace: Permission denied' err && [ ! -e closed/trace ] || fail "--to: another's directory"

sys staprun --timeout=1 ann/t_for_everybody.ko > out 2> err || fail "signed for stapusr, by stapsys: status $?"
sys staprun --timeout=1 ann/t_for_stapsys.ko > out 2> err || fail "signed, for stapsys: status $?"
grep -q tick out || fail "signed, for stapsys: output"
usr staprun -R --timeout=1 ann/t_for_everybody.ko > out 2> err || fail "signed, renamed: status $?"

# One byte more, one less, another key, keys that others could have put there.
cp ann/t_for_everybody.ko.sig good.sig
printf x >> ann/t_for_everybody.ko
refused 4 'not by a key in' usr staprun ann/t_for_everybody.ko
truncate -s -1 ann/t_for_everybody.ko
usr staprun --timeout=1 ann/t_for_everybody.ko > out 2> err || fail "as it was again: status $?"
printf x >> ann/t_for_everybody.ko.sig
refused 4 'it is too large' usr staprun ann/t_for_everybody.ko
head -c 63 good.sig > ann/t_for_everybody.ko.sig
refused 4 'it is too short' usr staprun ann/t_for_everybody.ko
openssl genpkey -algorithm ed25519 -out theirs.pem
openssl pkeyutl -sign -inkey theirs.pem -rawin -in ann/t_for_everybody.ko -out ann/t_for_everybody.ko.sig
refused 4 'not by a key in' usr staprun ann/t_for_everybody.ko
openssl pkey -in theirs.pem -pubout -out "$keys/theirs.pem"
chown 6001 "$keys/theirs.pem"
refused 4 'not by a key in' usr staprun ann/t_for_everybody.ko
mv "$keys/theirs.pem" ann
ln -s "$PWD/ann/theirs.pem" "$keys/theirs.pem"
refused 4 'not by a key in' usr staprun ann/t_for_everybody.ko
rm "$keys/theirs.pem"
cp good.sig ann/t_for_everybody.ko.sig
chmod 777 "$keys"
refused 4 'users other than root may write' usr staprun ann/t_for_everybody.ko
chmod 755 "$keys"

# In its place, whatever the mark.
install -m 644 "$MODULES/t_endless.ko" "$place"
usr staprun --timeout=1 t_endless > out 2> err || fail "placed: status $?"
[ "$(tail -n 1 out)" = ended ] || fail "placed: output"
usr staprun --timeout=1 "$place/t_endless.ko" > out 2> err || fail "placed, by its path: status $?"
dev staprun --timeout=1 ann/t_endless.ko > out 2> err || fail "stapdev: status $?"
# Probes of all kinds; the script's files are the user's.
install -o 6001 -g 6001 -m 644 "$MODULES/t_everything.ko" ann
dev staprun -c 'cat /proc/systemtap/t_everything/all' ann/t_everything.ko > out 2> err || fail "stapdev, all: status $?"
grep -q '^begun$' out && grep -q '^not all' out || fail "stapdev, all: $(cat out)"

# What a user may ask for: no parameters of the runtime's own, no buffers without measure.
refused 4 'not a global of the script' usr staprun ann/t_for_everybody.ko _stp_owner=0
refused 4 'not a global of the script' usr staprun -G _stp_buffer_mb=4000 ann/t_for_everybody.ko
refused 4 'members of stapusr may have 64 megabytes' usr staprun -s 65 ann/t_for_everybody.ko
# Nor behind a byte that the kernel takes for a blank: the value arrives whole, and the module is the user's own.
for param in "word=$(printf 'x\240_stp_owner=6002')" "word=$(printf 'x\240_stp_namespaces_pid=1')"; do
	(for _ in 1 2 3 4 5 6; do as 6002 6002 /bin/sleep 0.3; done) &
	usr staprun --timeout=1 ann/t_for_everybody.ko "$param" > out 2> err || fail "a blank: status $?"
	grep -qxF "begun ${param#word=} 1" out || { cat out; fail "a blank: the value is cut"; }
	! grep -E '^(begin|end) 6002' out || fail "a blank: another's processes"
	wait
done
usr staprun --timeout=1 -r "$(printf '1:x\240_stp_owner=0')" ann/t_for_everybody.ko > out 2> err ||
	fail "a blank, -r: status $?"
! grep -E '^(begin|end) 0 ' out || fail "a blank, -r: root's processes"

# Others' processes are out of sight; so are set-uid programs, and those that were given capabilities, which know more
# than their user.
install -m 4755 /bin/sleep ann/rooted
install -m 755 /bin/sleep ann/capable
start 6001 5001 staprun -o ann/seen ann/t_for_everybody.ko 2> err & run=$!
wait_for grep -qs begun ann/seen
usr sleep 0.1
usr ann/rooted 0.1
setpriv --reuid 6001 --regid 6001 --groups 5001 --inh-caps +net_raw --ambient-caps +net_raw ann/capable 0.1
other sleep 0.2
sleep 0.3
kill -TERM $run
wait $run || fail "own processes: status $?"
grep -q '^begin 6001 sleep 1$' ann/seen && grep -q '^end 6001 sleep$' ann/seen || {
	cat ann/seen
	fail "own processes: not seen"
}
! grep -E '^(begin|end) ' ann/seen | grep -vE '^(begin|end) 6001 (sleep|setpriv|stapio)( 1)?$' ||
	fail "others' processes seen"
status=0; usr staprun --timeout=3 ann/t_reads_memory.ko > out 2> err || status=$?
[ $status = 1 ] && grep -q "'user_long()' is for your own processes" err || fail "others' memory: status $status"
! loaded t_reads_memory || fail "still loaded"

# Capabilities of the file in place of set-uid.
chmod 750 "$sbin/staprun"
if command -v setcap > /dev/null &&
	setcap cap_sys_module,cap_dac_override,cap_sys_resource,cap_syslog+ep "$sbin/staprun"; then
	usr staprun --timeout=1 ann/t_for_everybody.ko > out 2> err || fail "capabilities: status $?"
	[ "$(tail -n 1 out)" = ended ] || fail "capabilities: output"
	refused 4 'it is made for stapdev' usr staprun ann/t_endless.ko
	usr staprun -L t_endless 2> err || fail "capabilities, -L: status $?"
	refuses() { ! "$@" > out 2> err && grep -q "another user's" err; }
	refuses other staprun -d t_endless || fail "capabilities, -d of another's"
	usr staprun -d t_endless 2> err || fail "capabilities, -d: status $?"
	! grep -q '^t_' /proc/modules || fail "capabilities: left loaded"
fi
