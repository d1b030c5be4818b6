# SPDX-License-Identifier: GPL-2.0-or-later
# Debuginfo from a server (DEBUGINFOD_URLS), by build-id.
# skip: no_kernel || no_program python3 || no_library libdebuginfod.so.1
. "$TOP/tests/cli/expect.inc"
stap="$STAP -r $KERNEL"
export HOME=$WORK/home SYSTEMTAP_DEBUGINFO_PATH=/nowhere
mkdir -p "$HOME"

echo 'int sum; __attribute__((noinline)) int walk(int steps) { return steps + sum; } int main(int argc, char **argv) { return walk(argc); }' \
	> prog.c
${CC:-gcc} -g -O2 -Wl,--build-id=sha1 -o prog prog.c || say_wrong "cannot build the program"
id=$(readelf -n prog | sed -n 's/.*Build ID: //p')
mkdir -p "server/buildid/$id"
objcopy --only-keep-debug prog "server/buildid/$id/debuginfo" && strip prog

# Any free port; the first line says which.
cat > serve.py <<'EOF'
import functools, http.server
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory="server")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
print(server.server_address[1], flush=True)
server.serve_forever()
EOF
python3 serve.py > port 2> requests &
server=$!
trap 'kill $server' EXIT
wait_until [ -s port ]

check 1 '/no debuginfo' -- $stap -L "process(\"$PWD/prog\").function(\"walk@prog.c\")"
export DEBUGINFOD_URLS=http://127.0.0.1:$(cat port)
check 0 '/function\("walk@.*prog\.c:1"\) \$steps:int$' -- $stap -L "process(\"$PWD/prog\").function(\"walk@prog.c\")"
grep -q "GET /buildid/$id/debuginfo" requests || say_wrong "the server was not asked"
# A kernel's image says its build-id as well; this server has nothing for it.
check 1 '/no debuginfo of kernel .*; nor is it to be had from DEBUGINFOD_URLS: ' \
	-- $stap -L 'kernel.statement("vfs_read@fs/read_write.c:*")'
grep -q "GET /buildid/[0-9a-f]*/debuginfo.* 404" requests || say_wrong "the server was not asked for the kernel's"
finish
