# SPDX-License-Identifier: GPL-2.0-or-later
# network.py [ROUNDS]: a server and its clients over the loopback, IPv4 and IPv6: TCP connections (and one that is
# refused), datagrams, a pair of local sockets. Without ROUNDS for ever.
# NETWORK_HOST: the address for IPv4, if not 127.0.0.1.
import os, socket, sys, threading, time

FAMILIES = {socket.AF_INET: os.environ.get("NETWORK_HOST", "127.0.0.1"), socket.AF_INET6: "::1"}

def serve(server):
    while True:
        peer, _ = server.accept()
        while peer.recv(4096):
            peer.send(b"answer" * 100)
        peer.close()

def bound(family, kind, address):
    """A socket with an address, which another process may have, too."""
    s = socket.socket(family, kind)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    s.bind(address)
    return s

servers, datagrams, listeners = {}, {}, {}
for family, host in FAMILIES.items():
    servers[family] = socket.create_server((host, 0), family=family)
    threading.Thread(target=serve, args=(servers[family],), daemon=True).start()
    datagrams[family] = socket.socket(family, socket.SOCK_DGRAM)
    listeners[family] = bound(family, socket.SOCK_DGRAM, (host, 5999))
    listeners[family].settimeout(1) # another process may get the datagram
local = socket.socketpair()

def once():
    for family, host in FAMILIES.items():
        with socket.create_connection(servers[family].getsockname()[:2]) as client:
            for _ in range(10):
                client.send(b"question")
                client.recv(4096)
        try:
            socket.create_connection((host, 9))
        except ConnectionRefusedError:
            pass
        datagrams[family].sendto(b"datagram", (host, 5999))
        try:
            listeners[family].recv(100)
        except TimeoutError:
            pass
        datagrams[family].sendto(b"to nobody", (host, 5998))
    with socket.socket(socket.AF_INET6) as client: # as programs do that know IPv6 only
        client.connect(("::ffff:" + FAMILIES[socket.AF_INET], servers[socket.AF_INET].getsockname()[1]))
    local[0].send(b"local")
    local[1].recv(100)
    time.sleep(0.1)

if __name__ == "__main__":
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else -1
    while rounds:
        once()
        rounds -= 1
