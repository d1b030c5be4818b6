# SPDX-License-Identifier: GPL-2.0-or-later
# Colours on a terminal, unless NO_COLOR is set; a list of points on a terminal has descriptions.
# skip: no_terminal
. "$TOP/tests/cli/expect.inc"
unset NO_COLOR
escape=$(printf '\033')
check 1 "/$escape" -- script -qec "$STAP --runtime=user -p1 -e probe" /dev/null
NO_COLOR=1 check 1 "!$escape" -- script -qec "$STAP --runtime=user -p1 -e probe" /dev/null
if [ -n "$KERNEL" ]; then
	check 0 '/^netfilter\.arp\.in  +ARP: a request or answer has come in' \
		-- script -qec "$STAP -r $KERNEL -l 'netfilter.*'" /dev/null
	check 0 '/^tcp\.recvmsg  +[a-zA-Z]' '/^kernel\.function\("tcp_recvmsg"\)' \
		-- script -qec "$STAP -r $KERNEL -l '*recvmsg'" /dev/null
	check 0 "/^tcp\\.recvmsg$(printf '\r')?\$" '!^tcp\.recvmsg ' \
		-- script -qec "$STAP -r $KERNEL -l '*recvmsg' | cat" /dev/null
fi
finish
