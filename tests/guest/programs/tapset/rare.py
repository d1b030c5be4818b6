# SPDX-License-Identifier: GPL-2.0-or-later
# What programs seldom do: signals of all ways, connections given up, pieces of messages, other positions.
import ctypes, os, signal, socket, subprocess, tempfile, time

libc = ctypes.CDLL(None, use_errno=True)
signal.signal(signal.SIGUSR1, lambda number, frame: None)
signal.signal(signal.SIGALRM, lambda number, frame: None)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
signal.sigpending()
os.kill(os.getpid(), signal.SIGUSR1)
libc.tgkill(os.getpid(), os.getpid(), signal.SIGUSR1)
tkill = {"x86_64": 200, "aarch64": 130}[os.uname().machine]
libc.syscall(tkill, os.getpid(), signal.SIGUSR1)


class Timespec(ctypes.Structure):
    _fields_ = [("interval", ctypes.c_long * 2), ("value", ctypes.c_long * 2)]


timer = ctypes.c_void_p()
libc.timer_create(1, None, ctypes.byref(timer))
libc.timer_settime(timer, 0, ctypes.byref(Timespec((0, 0), (0, 1000000))), None)
time.sleep(0.05)

server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
peer, _ = server.accept()
client.sendmsg([b"one", b"two"])
peer.recvmsg(10)
os.writev(client.fileno(), [b"three", b"four"])
os.readv(peer.fileno(), [bytearray(3), bytearray(6)])
os.write(client.fileno(), b"five")
os.read(peer.fileno(), 4)
libc.connect(client.fileno(), b"\0" * 16, 16)  # AF_UNSPEC: gives the connection up
datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
datagrams.bind(("127.0.0.1", 0))
datagrams.sendto(b"self", datagrams.getsockname())
datagrams.recv(10)
libc.connect(datagrams.fileno(), b"\0" * 16, 16)
datagrams.close()

with tempfile.TemporaryFile() as f:
    os.writev(f.fileno(), [b"a", b"b"])
    os.pwrite(f.fileno(), b"c", 1)
    os.lseek(f.fileno(), 0, os.SEEK_SET)
    os.fsync(f.fileno())

for command in ("modprobe dummy numdummies=0", "ip link add d0 type dummy", "ip link set d0 address 02:00:00:00:00:01", "ip link set d0 promisc on", "ip link set d0 allmulticast on", "ip link set d0 multicast on",
                "ip -s link show d0", "ip link del d0"):
    subprocess.run(command.split(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

# Work of another urgency has threads of its own, while there is any.
for nice in "-7", "0":
    with open("/sys/bus/workqueue/devices/writeback/nice", "w") as f:
        f.write(nice)
    time.sleep(0.5)
