# SPDX-License-Identifier: GPL-2.0-or-later
# tls.py: a question and an answer by TLS, within one process and without certificates.
import ssl
ctx = {side: ssl.SSLContext(p) for side, p in (("s", ssl.PROTOCOL_TLS_SERVER), ("c", ssl.PROTOCOL_TLS_CLIENT))}
for c in ctx.values():
    c.check_hostname = False
    c.verify_mode = ssl.CERT_NONE
    c.maximum_version = ssl.TLSVersion.TLSv1_2
    c.set_ciphers("AECDH-AES128-SHA:@SECLEVEL=0")
a, b = ssl.MemoryBIO(), ssl.MemoryBIO()
server, client = ctx["s"].wrap_bio(a, b, True), ctx["c"].wrap_bio(b, a)
for _ in range(5):
    for side in client, server:
        try: side.do_handshake()
        except ssl.SSLWantReadError: pass
client.write(b"GET /secret HTTP/1.1\r\n\r\n")
server.read(100)
server.write(b"HTTP/1.1 200 OK\r\n\r\nhello")
client.read(100)
