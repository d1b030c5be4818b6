# Makes the counters of IP and TCP count: two network namespaces, "near" and "far", with this one as their router, and a third that shares a bridge with it. Prints by how much
# /proc/net/snmp and netstat of all of them have grown, "NAME N" a line.
import contextlib, ctypes, os, select, socket, struct, subprocess, time

libc = ctypes.CDLL(None, use_errno=True)
SPACES = 'near', 'far', 'side'
here = os.open('/proc/self/ns/net', os.O_RDONLY)
@contextlib.contextmanager
def space(name):
	fd = os.open('/run/netns/' + name, os.O_RDONLY)
	assert libc.setns(fd, 0) == 0
	yield
	assert libc.setns(here, 0) == 0
	os.close(fd)

def add(sums, file):
	lines = open(f'/proc/net/{file}').read().splitlines()
	for names, values in zip(lines[::2], lines[1::2]):
		group = names.split(':')[0]
		for name, value in zip(names.split()[1:], values.split()[1:]): sums[group + name] = sums.get(group + name, 0) + int(value)

def counted():
	sums = {}
	for name in (None,) + SPACES:
		with space(name) if name else contextlib.nullcontext():
			add(sums, 'snmp')
			add(sums, 'netstat')
	return sums

def checksum(data):
	total = sum(struct.unpack(f'>{len(data) // 2}H', data))
	while total >> 16: total = (total & 0xffff) + (total >> 16)
	return ~total & 0xffff

def ping(to, size=56, alone=False):
	with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as s:
		s.settimeout(1)
		if alone: s.setsockopt(socket.IPPROTO_IP, 10, 2) # IP_MTU_DISCOVER, IP_PMTUDISC_DO
		packet = struct.pack('>BBHHH', 8, 0, 0, 7, 1) + b'\0' * size
		packet = packet[:2] + struct.pack('>H', checksum(packet)) + packet[4:]
		try:
			s.sendto(packet, (to, 0))
			s.recv(65535)
		except OSError: pass

def raw(to, protocol, flags=0):
	with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW) as s:
		s.sendto(struct.pack('>BBHHHBBH4s4s', 0x45, 0, 28, 9, flags, 64, protocol, 0, b'\0' * 4, socket.inet_aton(to)) + b'\0' * 8, (to, 0))

before = {}
add(before, 'snmp')
add(before, 'netstat')
for line in '''ip link set lo up
ip netns add near
ip netns add far
ip netns add side
ip link add n0 type veth peer name eth0 netns near
ip link add f0 type veth peer name eth0 netns far
ip link add b0 type bridge
ip link add s0 type veth peer name eth0 netns side
ip link add s1 type veth peer name eth1 netns side
ip link set s0 master b0 up
ip link set s1 master b0 up
ip addr add 10.9.1.1/24 dev n0
ip addr add 10.9.2.1/24 dev f0
ip addr add 10.9.3.1/24 dev b0
ip link set n0 up
ip link set f0 up
ip link set b0 up
ip -n near addr add 10.9.1.2/24 dev eth0
ip -n near link set eth0 up
ip -n near route add default via 10.9.1.1
ip -n far addr add 10.9.2.2/24 dev eth0
ip -n far link set eth0 up
ip -n far route add default via 10.9.2.1
ip -n side addr add 10.9.3.2/24 dev eth0
ip -n side link set eth0 up
ip -n side link set eth1 up'''.splitlines(): subprocess.run(line.split(), check=True)
def proc(file, value):
	with open('/proc/sys/net/' + file, 'w') as f: f.write(value)
proc('ipv4/ip_forward', '1')
proc('ipv4/ipfrag_time', '1')
time.sleep(1)

for name in SPACES: # who is where is known before
	with space(name): ping('10.9.3.1' if name == 'side' else '10.9.1.1')
with space('near'):
	for _ in range(3): ping('10.9.2.2')
	ping('10.9.2.2', 3000)
	ping('10.77.0.1')
	raw('10.9.2.2', 200)
	raw('10.9.1.1', 17, 0x2000) # the first fragment, and no other
subprocess.run('ip link set f0 mtu 900'.split(), check=True)
with space('near'): ping('10.9.2.2', 1200, True)
proc('ipv4/conf/n0/forwarding', '0')
with space('near'): ping('10.9.3.77')
with space('side'): ping('10.9.3.1')
with socket.socket() as s:
	try: s.connect(('127.0.0.1', 9))
	except ConnectionRefusedError: pass
server = socket.create_server(('127.0.0.1', 0))
client = socket.create_connection(server.getsockname())
peer, _ = server.accept()
for _ in range(20):
	client.send(b'x')
	peer.recv(1)
	time.sleep(0.01)
client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
client.close()
peer.close()
narrow = socket.create_server(('127.0.0.1', 0), backlog=0)
many = [socket.socket() for _ in range(4)]
for s in many:
	s.setblocking(False)
	s.connect_ex(narrow.getsockname())
nobody = socket.socket()
nobody.setblocking(False)
nobody.connect_ex(('10.9.3.99', 80))
time.sleep(2.5)
after = counted()
os.sched_yield()
for name in sorted(after): print(name, after[name] - before.get(name, 0))
