# --monitor over a module: books, a probe switched off by its key, globals, the output, and the end by q.
# skip: no_program python3
# skip: no_translator
export PYTHONPATH=$TOP/tests/cli PYTHONDONTWRITEBYTECODE=1
cat > script.stp <<'END_STP'
global reads, by
probe kernel.function("vfs_read") { reads++ by[execname()] <<< 1 }
probe timer.s(1) { println("a second") }
probe end { println("ended") }
END_STP
cat > keys.py <<'END_PY'
import os
from screen import Screen
s = Screen(["stap", "-m", "t_monitor", "--monitor", "script.stp"], patience=600)
s.wait(r"^t_monitor  script.stp  running  00:")
probe = r'^ +0 +{}  kernel.function\("vfs_read"\)\S* +{} +[1-9]\d* +\d+ +0 +\d+ '
s.wait(probe.format("on", r"[1-9]\d*"))
s.wait("^a second$")
s.key("g", r"^reads [1-9]\d*$")
s.wait(r'^by\["[^"]+"\] count [1-9]\d*')
s.key("gt0\n", probe.format("off", "0"))
os.write(s.fd, b"q")
status, left = s.end()
assert status == 0 and "\nended" in left, (status, left)
END_PY
python3 keys.py || exit
! grep -q t_monitor /proc/modules || { echo "the module is left"; exit 1; }
