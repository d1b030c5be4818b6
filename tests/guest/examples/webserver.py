# SPDX-License-Identifier: GPL-2.0-or-later
# webserver.py: a server and its client over the loopback, two requests of HTTP.
import http.client, http.server, threading

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"hello")

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = http.client.HTTPConnection(*server.server_address)
for method, path, body in ("GET", "/found?a=1", None), ("POST", "/missing", "x=1"):
    client.request(method, path, body)
    client.getresponse().read()
client.close()
server.shutdown()
