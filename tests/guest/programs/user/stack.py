# SPDX-License-Identifier: GPL-2.0-or-later
# Calls a system call through functions, a method, a generator and a thread.
import os
import threading


def inner():
    os.getppid()


class Server:
    def reply(self):
        inner()


def generator():
    yield Server().reply()


def größe(): # ISO 8859-1
    sorted([1, 2], key=lambda x: list(generator()) and x)


def λ():
    größe()


thread = threading.Thread(target=λ)
thread.start()
thread.join()
inner()


def far(
    text,
):
    return [
        text,









































        os.getppid(),
    ]


exec(compile("def further():\n" + "\n    x = 1" * 300 + "\n" * 5000 + "    far('')", "made.py", "exec"))
further()


# Python lists the newest thread first: the main one is the last.
def crowd():
    idle = threading.Event()
    others = [threading.Thread(target=idle.wait) for _ in range(150)]
    for other in others:
        other.start()
    os.getppid()
    idle.set()
    for other in others:
        other.join()


crowd()
