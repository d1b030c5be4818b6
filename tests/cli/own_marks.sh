# SPDX-License-Identifier: GPL-2.0-or-later
# The markers of stap, staprun and stapio are in the programs, and have their arguments.
. "$TOP/tests/cli/expect.inc"
PATH=$(dirname "$STAP"):$PATH
# Stap.pass0 stap.pass0.end stap.pass1a stap.pass1b stap.pass1.end stap.pass2 stap.pass2.end stap.pass3 stap.pass3.end.
for pass in 0 0.end 1a 1b 1.end 2 2.end 3 3.end 4 4.end 5 5.end 6 6.end; do
	# Stap.pass4 stap.pass4.end stap.pass5 stap.pass5.end stap.pass6 stap.pass6.end.
	check 0 "/^stap.pass$pass session:long$" -- $STAP -L "stap.pass$pass"
done
lists() { check 0 "/^$1 $2$" -- $STAP -L "$1"; }
lists stap.cache_get 'module_path:string source_path:string'
lists stap.cache_add_mod 'source_path:string dest_path:string'
lists stap.cache_clean 'path:string'
lists stap.system 'command:string'
lists stap.system.spawn 'ret:long pid:long'
lists stap.system.return 'ret:long'
lists staprun.insert_module 'path:string'
lists staprun.remove_module 'name:string'
lists staprun.send_control_message 'type:long data:long len:long'
lists stapio.receive_control_message 'type:long data:long len:long'
finish
