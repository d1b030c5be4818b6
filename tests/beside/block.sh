# SPDX-License-Identifier: GPL-2.0-or-later
# Writes and reads blocks of known sizes, bypassing the page cache, on a memory-backed disk.
set -eu
dd if=/dev/zero of=/dev/nullb0 bs=8192 count=4 oflag=direct 2> /dev/null
dd if=/dev/nullb0 of=/dev/null bs=4096 count=2 iflag=direct 2> /dev/null
