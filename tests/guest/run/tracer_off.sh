# With the sysctl kernel.ftrace_enabled at 0, probes of functions are accepted and not called: a warning says so, with
# the command that mends it. While a script probes functions, the kernel does not let it be set to 0.
set -eu
cd "$(mktemp -d)"
fail() { cat err; echo "$1"; exit 1; }
switch=/proc/sys/kernel/ftrace_enabled
warning="WARNING: the kernel's function tracer is switched off, so probes of the kernel's functions get no hits; \
'sysctl kernel.ftrace_enabled=1' switches it on"

echo 0 > $switch
staprun -o out -c 'cat /proc/version' "$MODULES/t_tracer_off.ko" > /dev/null 2> err || fail "status $?"
grep -qxF "$warning" err || fail 'no warning'
grep -qx 0 out || fail "hits: $(cat out)"
echo 1 > $switch
staprun -o out -c "cat /proc/version; ! echo 0 > $switch" "$MODULES/t_tracer_off.ko" > /dev/null 2> err ||
	fail "status $?"
! grep -q WARNING err || fail 'a warning'
grep -qx 1 out || fail "no hits: $(cat out)"
