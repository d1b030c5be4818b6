# SPDX-License-Identifier: GPL-2.0-or-later
# A connection over IPv4 and one over IPv6 whose server loses all that comes in, until the client has sent it again.
import ctypes, socket, struct

SO_ATTACH_FILTER, SO_DETACH_FILTER = 26, 27
TCP_INFO, TCPI_TOTAL_RETRANS = 11, 100 # bytes into struct tcp_info

def retransmitted(s):
    info = s.getsockopt(socket.IPPROTO_TCP, TCP_INFO, 104)
    return struct.unpack_from("I", info, TCPI_TOTAL_RETRANS)[0]

for family, host in (socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"):
    server = socket.create_server((host, 0), family=family)
    client = socket.create_connection(server.getsockname()[:2])
    peer, _ = server.accept()
    keep_none = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0)) # a filter that returns 0
    program = struct.pack("HxxxxxxQ", 1, ctypes.addressof(keep_none))
    peer.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program)
    client.send(b"lost")
    while not retransmitted(client):
        pass
    peer.setsockopt(socket.SOL_SOCKET, SO_DETACH_FILTER, 0)
    assert peer.recv(4) == b"lost"
