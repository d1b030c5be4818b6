# SPDX-License-Identifier: GPL-2.0-or-later
# Takes memory and gives half of it back, when its input says so or ends; then waits for more input.
import ctypes, sys

libc = ctypes.CDLL("libc.so.6")
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]
sys.stdin.readline()
for _ in range(10):
    libc.malloc(12345)
    libc.free(libc.malloc(54321))
print("done", flush=True)
sys.stdin.readline()
