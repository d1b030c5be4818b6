# What a program does with files of an NFS mount, a bit of everything: nfs_client.py DIR. Prints the inode that it did it to.
import ctypes, fcntl, mmap, os, socket, stat, sys, time

def drop_caches():
	with open('/proc/sys/vm/drop_caches', 'w') as f: f.write('3\n')

os.chdir(sys.argv[1])
assert not os.path.exists('subject')
fd = os.open('subject', os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)
print('ino', os.fstat(fd).st_ino, flush=True)
os.write(fd, b'x' * 3000)
ctypes.CDLL(None).sync_file_range(fd, ctypes.c_long(0), ctypes.c_long(0), 2) # written to the server, which has not put it on its disk yet
time.sleep(0.5)
os.pwrite(fd, b'y' * 100, 5000)
os.fsync(fd)
os.close(fd)
fd = os.open('subject', os.O_RDWR) # version 4 makes and opens a file in one; this is open
os.lseek(fd, 10, os.SEEK_SET)
os.lseek(fd, 0, os.SEEK_DATA)
fcntl.lockf(fd, fcntl.LOCK_EX, 20, 100)
fcntl.lockf(fd, fcntl.LOCK_UN, 20, 100)
fcntl.fcntl(fd, fcntl.F_SETFL, os.O_APPEND)
drop_caches()
assert os.pread(fd, 1000, 4500) == b'\0' * 500 + b'y' * 100
drop_caches()
left, right = socket.socketpair()
assert os.sendfile(left.fileno(), fd, 0, 50) == 50 and right.recv(50) == b'x' * 50
drop_caches()
with mmap.mmap(fd, 4096, prot=mmap.PROT_READ) as m:
	m.madvise(mmap.MADV_RANDOM)
	assert m[0] == ord('x')
os.close(fd)
os.mknod('made', stat.S_IFREG | 0o600)
os.mkdir('dir')
os.rename('subject', 'moved')
drop_caches()
os.stat('moved')
os.unlink('moved')
os.unlink('made')
os.rmdir('dir')
