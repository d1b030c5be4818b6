# SPDX-License-Identifier: GPL-2.0-or-later
# A server and its clients over the loopback: TCP connections (and one that is refused), datagrams, a pair of local sockets.
import socket, threading, time

server = socket.create_server(("127.0.0.1", 0))

def serve():
    while True:
        peer, _ = server.accept()
        while peer.recv(4096):
            peer.send(b"answer" * 100)
        peer.close()

threading.Thread(target=serve, daemon=True).start()
datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
listener.bind(("127.0.0.1", 5999))
local = socket.socketpair()
while True:
    with socket.create_connection(server.getsockname()) as client:
        for _ in range(10):
            client.send(b"question")
            client.recv(4096)
    try:
        socket.create_connection(("127.0.0.1", 9))
    except ConnectionRefusedError:
        pass
    datagrams.sendto(b"datagram", ("127.0.0.1", 5999))
    listener.recv(100)
    datagrams.sendto(b"to nobody", ("127.0.0.1", 5998))
    local[0].send(b"local")
    local[1].recv(100)
    time.sleep(0.1)
