# What is done with a terminal: a pair of pseudo-terminals, and a driver that comes and goes.
import fcntl, os, pty, select, struct, subprocess, termios
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('4H', 31, 97, 3, 4))
os.write(slave, b'spoken')
os.write(master, b'typed\n')
poll = select.poll()
poll.register(slave, select.POLLIN)
assert poll.poll(5000)
assert os.read(slave, 77) == b'typed\n'
os.close(slave)
os.close(master)
subprocess.run(['modprobe', 'ttyprintk'])
subprocess.run(['rmmod', 'ttyprintk'])
