# An NFS server on 127.0.0.1 of this guest without any of its programs: nfs_server.py DIR. Answers the kernel's questions about exports, and stands in for rpcbind and mountd (port
# 20048), which version 3 wants. Says "ready" and stays.
import os, select, socket, struct, sys, threading, time

directory, client, forever = sys.argv[1], 'test', 2**31 - 1
INSECURE, ASYNC, NOSUBTREE, FSID = 2, 0x10, 0x400, 0x2000

def answer(name, make):
	channel = os.open(f'/proc/net/rpc/{name}/channel', os.O_RDWR)
	poll = select.poll()
	poll.register(channel, select.POLLIN)
	while True:
		poll.poll()
		for line in os.read(channel, 32768).decode().splitlines():
			try: os.write(channel, make(line.split()).encode())
			except OSError as e: print(name, line, e, flush=True)

def of_address(words): return f'{words[0]} {words[1]} {forever} {client}\n'
def of_handle(words): return f'{words[0]} {words[1]} {words[2]} {forever} {directory}\n'
def of_path(words): return f'{words[0]} {words[1]} {forever} {INSECURE | ASYNC | NOSUBTREE | FSID} 65534 65534 0\n'

def root_handle():
	with open('/proc/fs/nfsd/filehandle', 'r+b', buffering=0) as f:
		f.write(f'{client} {directory} 64\n'.encode())
		return bytes.fromhex(f.read(256).decode().strip().removeprefix('\\x'))

def result(program, procedure):
	if procedure == 0: return b''
	if program != 100005: return struct.pack('>I', 1)
	if procedure != 1: return b''
	handle = root_handle()
	return struct.pack('>II', 0, len(handle)) + handle + b'\0' * (-len(handle) % 4) + struct.pack('>II', 1, 1)

def serve(connection):
	while True:
		mark = connection.recv(4, socket.MSG_WAITALL)
		if len(mark) < 4: return
		call = connection.recv(struct.unpack('>I', mark)[0] & 0x7fffffff, socket.MSG_WAITALL)
		xid, _, _, program, _, procedure = struct.unpack('>6I', call[:24])
		reply = struct.pack('>6I', xid, 1, 0, 0, 0, 0) + result(program, procedure)
		connection.sendall(struct.pack('>I', 0x80000000 | len(reply)) + reply)

def listen(family, address):
	s = socket.socket(family)
	if family == socket.AF_INET: s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
	s.bind(address)
	s.listen(8)
	while True: start(serve, s.accept()[0])

def start(function, *args): threading.Thread(target=function, args=args, daemon=True).start()
def write(file, text):
	with open('/proc/fs/nfsd/' + file, 'w') as f: f.write(text)

for name, make in ('auth.unix.ip', of_address), ('nfsd.fh', of_handle), ('nfsd.export', of_path): start(answer, name, make)
try: os.unlink('/run/rpcbind.sock')
except FileNotFoundError: pass
start(listen, socket.AF_UNIX, '/run/rpcbind.sock')
start(listen, socket.AF_INET, ('127.0.0.1', 20048))
time.sleep(0.3)
write('versions', '+3 +4 +4.1 +4.2\n')
for file in 'nfsv4leasetime', 'nfsv4gracetime': write(file, '10\n') # files of version 4 open when this has passed
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(('127.0.0.1', 2049))
server.listen(64)
write('portlist', f'{server.fileno()}\n')
write('threads', '2\n')
print('ready', flush=True)
time.sleep(600)
