# SPDX-License-Identifier: GPL-2.0-or-later
# outsider.py FILE DISK: does without end what the scripts in examples/ look at, and belongs to no script's target. It
# runs by a link that is called "outsider": that name is in no row of a script that has a target, nor are the disk, the
# device dummy0 and 127.0.0.2, which it alone uses.
import fcntl, os, signal, socket, sys, time

import network

path = sys.argv[1]
disk = os.open(sys.argv[2], os.O_RDWR)
datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
while True:
    network.once()
    datagrams.sendto(b"to nobody", ("192.0.2.2", 5998))
    os.pwrite(disk, b"x" * 8192, 0)
    os.fsync(disk)
    with open(path, "w") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        f.write("x" * 8192)
        f.flush()
        os.fsync(f.fileno())
    os.rename(path, path + "2")
    os.unlink(path + "2")
    open("/etc/passwd").read()
    try:
        open("/nonexistent")
    except FileNotFoundError:
        pass
    child = os.fork()
    if not child:
        os._exit(1)
    os.waitpid(child, 0)
    child = os.fork()
    if not child:
        time.sleep(9)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    bytearray(3 << 20)
