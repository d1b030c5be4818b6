# SPDX-License-Identifier: GPL-2.0-or-later
# mutex.py: a thread holds a mutex of the C library while another one waits for it, five times.
import ctypes, threading, time

libc = ctypes.CDLL("libc.so.6")
mutex = ctypes.create_string_buffer(64)
held = threading.Event()

def hold():
    for _ in range(5):
        libc.pthread_mutex_lock(mutex)
        held.set()
        time.sleep(0.05)
        libc.pthread_mutex_unlock(mutex)
        time.sleep(0.05)

thread = threading.Thread(target=hold)
thread.start()
for _ in range(5):
    held.wait()
    held.clear()
    libc.pthread_mutex_lock(mutex)
    libc.pthread_mutex_unlock(mutex)
thread.join()
