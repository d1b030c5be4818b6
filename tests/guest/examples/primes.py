# SPDX-License-Identifier: GPL-2.0-or-later
# Functions that take some time.
def is_prime(n):
    for k in range(2, n):
        if n % k == 0:
            return False
    return n > 1


def wanted():
    return sum(1 for n in range(3000) if is_prime(n))


wanted()
