# Timers, futexes, a keyboard that types and loses its driver, and an attempt to sleep.
import glob, os, signal, socket, struct, subprocess, threading, time

def write(path, text):
    with open(path, "w") as f:
        f.write(text)

# an interval timer: 30 ms, then every 20
fired = []
signal.signal(signal.SIGALRM, lambda *_: fired.append(1))
signal.setitimer(signal.ITIMER_REAL, 0.03, 0.02)
while len(fired) < 2:
    time.sleep(0.005)
signal.setitimer(signal.ITIMER_REAL, 0)

# a timeout in jiffies: 400 ms. A tick between the kernel's sum and the probe makes it look shorter, so there are a few.
s, t = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 0, 400000))
for _ in range(4):
    try:
        s.recv(1)
    except OSError:
        pass

# futexes: one that nobody wakes, and one that is woken
lock = threading.Lock()
lock.acquire()
lock.acquire(timeout=0.02)
waiter = threading.Thread(target=lock.acquire)
waiter.start()
time.sleep(0.05)
lock.release()
waiter.join()

# a key, and a lamp
if os.uname().machine == "x86_64":
    subprocess.run(["build/guest/key"], check=True)
for led in glob.glob("/sys/class/leds/*::capslock/brightness"):
    write(led, "1")

# sleep, which the file system of a guest refuses when most devices do it already; where none does, a clock wakes the machine
try:
    write("/sys/class/rtc/rtc0/wakealarm", "+3")
except OSError:
    pass
try:
    write("/sys/power/state", "freeze")
except OSError:
    pass

if os.uname().machine == "x86_64":
    write("/sys/bus/serio/devices/serio0/drvctl", "none")
    write("/sys/bus/serio/devices/serio0/drvctl", "rescan")
time.sleep(0.5)
