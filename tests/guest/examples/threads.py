# SPDX-License-Identifier: GPL-2.0-or-later
# Threads that wait for one another's lock.
import threading, time

lock = threading.Lock()

def work():
    for _ in range(20):
        with lock:
            time.sleep(0.002)

threads = [threading.Thread(target=work) for _ in range(3)]
for t in threads:
    t.start()
for t in threads:
    t.join()
