# SPDX-License-Identifier: GPL-2.0-or-later
# One of each of the calls that trace-io.stp traces, with numbers that are seen again.
import os, socket, tempfile

socket.socket().close()
with tempfile.TemporaryDirectory() as directory:
    fd = os.open(directory + "/file", os.O_RDWR | os.O_CREAT)
    os.write(fd, b"x" * 4096)
    os.write(fd, b"y" * 4096)
    os.lseek(fd, 4096, os.SEEK_SET)
    os.read(fd, 4096)
    os.close(fd)
