# SPDX-License-Identifier: GPL-2.0-or-later
# Three processes write one file: they wait for its lock.
import os

def fill():
    with open("/dev/shm/same", "r+b", buffering=0) as f:
        for _ in range(6):
            f.seek(0)
            f.write(bytes(8 << 20))
open("/dev/shm/same", "w").close()
children = [os.fork() for _ in range(3)]
if 0 in children:
    fill()
    os._exit(0)
for child in children:
    os.waitpid(child, 0)
os.unlink("/dev/shm/same")
