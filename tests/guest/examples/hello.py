# SPDX-License-Identifier: GPL-2.0-or-later
# Calls a function more often than Python itself calls any at its start.
def hello(n):
    return n + 1


for i in range(3000):
    hello(i)
