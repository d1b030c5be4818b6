# SPDX-License-Identifier: GPL-2.0-or-later
# Calls whose arguments mean what another argument says; most of them fail.
import ctypes, os

call = ctypes.CDLL(None, use_errno=True).syscall
quotactl, memfd_secret = {"x86_64": (179, 447), "aarch64": (60, 447)}[os.uname().machine]
if os.uname().machine == "x86_64":
    call(139, 1, b"proc")
    call(139, 2, 3, ctypes.create_string_buffer(50))
    call(139, 3)
os.umask(0)
os.umask(0o22)
call(quotactl, 0x800002 << 8 & 0xffffffff, b"/dev/x", 4, b"/aquota.user")
call(quotactl, 0x800007 << 8 & 0xffffffff, b"/dev/x", 1000, 0)
call(memfd_secret, 0x80000)
os.times()
