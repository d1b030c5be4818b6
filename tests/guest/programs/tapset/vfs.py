# What a program does with a file of known bytes, and a disk: vfs.py DIR DISK. What stat says of the file is what it writes.
import mmap, os, sys
os.chdir(sys.argv[1])
fd = os.open('subject', os.O_RDWR | os.O_CREAT, 0o644)
said = os.fstat(fd).st_ino.to_bytes(8, 'little') + (os.getcwd() + '/subject').encode()
assert os.write(fd, said + b'\0' * (300 - len(said))) == 300
assert os.pwritev(fd, [b'b' * 10, b'c' * 20], 300) == 30
assert os.lseek(fd, 7, os.SEEK_SET) == 7
assert len(os.read(fd, 100)) == 100
assert os.preadv(fd, [bytearray(5), bytearray(6)], 50) == 11
with mmap.mmap(fd, 300, prot=mmap.PROT_READ | mmap.PROT_WRITE) as m: m[0] = 65
r, w = os.pipe()
assert os.splice(fd, w, 40, offset_src=3) == 40
assert os.splice(r, fd, 40, offset_dst=100) == 40
assert os.sendfile(os.open('copy', os.O_RDWR | os.O_CREAT), fd, 0, 30) == 30
os.close(fd)
os.unlink('subject')
disk = os.open(sys.argv[2], os.O_RDWR)
assert len(os.read(disk, 4096)) == 4096
with mmap.mmap(disk, 8192) as m: m[5000] = 1
os.fsync(disk)
with open('/proc/sys/vm/drop_caches', 'w') as f: f.write('1\n')
