# What tapset_changes.stp changes: how much is read, what is written. And a connection between two known ports.
import os, socket

def say(*words): # in one piece: the script prints into the same file
    os.write(1, (' '.join(map(str, words)) + '\n').encode())

fd = os.open('/etc/passwd', os.O_RDONLY)
say('read', *[len(os.read(fd, count)) for count in range(201, 213)])
r, w = os.pipe()
os.write(w, b'what the program wrote')
say('wrote', os.read(r, 100).split(b'\0')[0].decode())
server = socket.create_server(('127.0.0.1', 40124))
client = socket.create_connection(server.getsockname(), source_address=('127.0.0.1', 40123))
client.sendall(b'hello')
