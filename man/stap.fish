# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of the command lines of stap, staprun, stapio, stap-merge, lket-b2a, stap-exporter, stap-prep and stap-report for fish. The file has the program's name where
# it is installed; the options are those of its -h.
set -l program (string replace -r '\.fish$' '' (status basename))

# Prints the options, one a line, with tabs between the fields: short name, long name, the argument with the sign before
# it ('[=': it may be left out), and what the option is for.
function __stap_options
	$argv[1] -h 2>/dev/null | string replace -r '^ +(-[A-Za-z]), (-[A-Za-z]) +(.*)' '  $1 $3\n  $2 $3' | string replace -rf \
		'^ +(?=-)(?:-([A-Za-z]))?(?:, )?(?:--([a-z-]+))?(\[?=\S+| [A-Z]\S*(?= ))? *(.*)$' '$1\t$2\t$3\t$4'
end

function __stap_releases
	path basename /lib/modules/*
end

function __stap_containers
	stap-container -l 2>/dev/null | awk 'NR > 1 { print $1 }'
end

complete -c $program -e
for option in (__stap_options $program)
	set -l fields (string split \t -- $option)
	set -l names
	test -z "$fields[1]"; or set -a names -s $fields[1]
	test -z "$fields[2]"; or set -a names -l $fields[2]
	set -l takes
	switch "$fields[2],$fields[1],$fields[3]"
		case '*,' '*,[[]=*'
		case '*,*FILE*' '*,*DIR*'
			set takes -r -F
		case '*,*CMD*'
			set takes -x -a '(__fish_complete_command)'
		case '*,*PID*'
			set takes -x -a '(__fish_complete_pids)'
		case '*,r,*' 'vm,*'
			set takes -x -a '(__stap_releases)'
		case 'to,*'
			set takes -x -a 'ctf: flame: kafka: lket: mysql: pcap: perfetto: postgresql: sqlite:'
		case 'on-disk-full,*'
			set takes -x -a 'end wait'
		case 'on-full,*'
			set takes -x -a 'drop overwrite throttle'
		case 'runtime,*'
			set takes -x -a 'kernel user'
		case 'color,*' '*,C,*'
			set takes -x -a 'always never auto'
		case ',p,*'
			set takes -x -a '1 2 3 4 5'
		case 'container,*'
			set takes -x -a '(__stap_containers)'
		case 'status,*' 'stop,*'
			set takes -x -a '(stap --status 2> /dev/null | awk "NR > 1 { print \$1 }")'
		case '*|*'
			set takes -x -a (string trim -c '=' $fields[3] | string replace -a '|' ' ')
		case '*'
			set takes -x
	end
	complete -c $program $names $takes -d "$fields[4]"
end
switch $program
	case stap
		set -l is_service 'test (count (commandline -opc)) -gt 1; and test (commandline -opc)[2] = service'
		complete -c stap -k -n "not begin; $is_service; end" -a '(__fish_complete_suffix .stp)'
		complete -c stap -n 'test (count (commandline -opc)) = 1' -a service -d 'scripts that run from boot on'
		complete -c stap -f -n "$is_service; and test (count (commandline -opc)) = 2" -a 'enable disable status check run'
		complete -c stap -f -n "$is_service; and test (count (commandline -opc)) -gt 2" \
			-a '(path basename /etc/stap/scripts/*.stp | path change-extension "")'
	case stap-exporter
		complete -c $program -k -a '(__fish_complete_suffix .stp)'
	case stap-prep
		complete -c stap-prep -f -a '(__stap_releases)'
	case stap-report
		complete -c stap-report -f
	case staprun stapio
		complete -c $program -k -a '(__fish_complete_suffix .ko)'
end
