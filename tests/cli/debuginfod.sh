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
import functools, http.server, sys, time
class Handler(http.server.SimpleHTTPRequestHandler):
    # slow: in pieces; silent: no answer; stuck: the answer stops in the middle
    def do_GET(self):
        way, _, self.path = self.path[1:].partition("/")
        self.path = "/" + self.path
        if way == "plain":
            return super().do_GET()
        print("asked", way, flush=True, file=sys.stderr)
        if way == "silent":
            return time.sleep(60)
        body = open("server" + self.path, "rb").read()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        for i in range(0, len(body), len(body) // 8 + 1):
            self.wfile.write(body[i : i + len(body) // 8 + 1])
            time.sleep(60 if way == "stuck" else 0.3)

handler = functools.partial(Handler, directory="server")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
print(server.server_address[1], flush=True)
server.serve_forever()
EOF
python3 serve.py > port 2> requests &
server=$!
trap 'kill $server' EXIT
wait_until [ -s port ]

check 1 '/no debuginfo' -- $stap -L "process(\"$PWD/prog\").function(\"walk@prog.c\")"
export DEBUGINFOD_URLS=http://127.0.0.1:$(cat port)/plain
check 0 '/function\("walk@.*prog\.c:1"\) \$steps:int$' -- $stap -L "process(\"$PWD/prog\").function(\"walk@prog.c\")"
grep -q "GET /plain/buildid/$id/debuginfo" requests || say_wrong "the server was not asked"
# A kernel's image says its build-id as well; this server has nothing for it.
check 1 '/no debuginfo of kernel .*; nor is it to be had from DEBUGINFOD_URLS: ' \
	-- $stap -L 'kernel.statement("vfs_read@fs/read_write.c:*")'
grep -q "GET /plain/buildid/[0-9a-f]*/debuginfo.* 404" requests || say_wrong "the server was not asked for the kernel's"

# Who waits is told whom for, and the waiting ends.
lookup() {
	rm -rf "$HOME/.cache" "$HOME/.debuginfod_client_cache"
	check "$@" -- $stap $verbose -L "process(\"$PWD/prog\").function(\"walk@prog.c\")"
}
verbose=-v
base=http://127.0.0.1:$(cat port)
export DEBUGINFOD_URLS=$base/slow
lookup 0 '/function\("walk@.*prog\.c:1"\) .*\$steps:int$' "/^stap: asking $base/slow for debuginfo of $PWD/prog$"
rm -rf "$HOME"/.cache "$HOME"/.debuginfod_client_cache
python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) != 0)' \
	$stap -L "process(\"$PWD/prog\").function(\"walk@prog.c\")" > shown < /dev/null
grep -q "asking $base/slow" shown && grep -q '[0-9] of [0-9][0-9]* kB' shown ||
	{ cat shown; say_wrong "a terminal has not shown how far the file is"; }
for way in silent stuck; do
	export DEBUGINFOD_URLS=$base/$way
	SECONDS=0
	DEBUGINFOD_TIMEOUT=2 lookup 1 "/^stap: asking $base/$way for debuginfo of $PWD/prog$" '/no debuginfo' \
		"/^warning: $base/$way: no answer within 2 s, or less than 100 kB \(DEBUGINFOD_TIMEOUT\); debuginfo is looked for here alone"
	[ $SECONDS -lt 15 ] || say_wrong "a server that is $way was waited for for $SECONDS s"
	[ "$(grep -c "^asked $way" requests)" = 1 ] || say_wrong "a server that is $way was asked again"
done
export DEBUGINFOD_URLS=http://127.0.0.1:1
lookup 1 '/no debuginfo' '!warning:'
verbose=
lookup 1 '/no debuginfo' '!asking'
finish
