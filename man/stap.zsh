#compdef stap staprun stapio stap-merge lket-b2a stap-exporter stap-prep stap-report
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of the command lines of stap, staprun, stapio, stap-merge, lket-b2a, stap-exporter, stap-prep and stap-report for zsh. The options are those of their -h.

# Prints the options, one a line: short name, long name, the argument's name (in brackets: it may be left out), and what
# the option is for; an empty field is "-".
_stap_read_options() {
	$words[1] -h 2> /dev/null | awk '
		/^ +-/ {
			sub(/^ +/, "")
			also = match($0, /^-[A-Za-z], -[A-Za-z] /) ? substr($0, 2, 1) : ""
			if (also) sub(/^[^ ]+ /, "")
			short = long = argument = "-"
			if (match($0, /^-[A-Za-z]/)) { short = substr($0, 2, 1); sub(/^..(, )?/, "") }
			if (match($0, /^--[a-z-]+/)) { long = substr($0, 3, RLENGTH - 2); $0 = substr($0, RLENGTH + 1) }
			if (match($0, /^\[?=[^ ]+/)) { argument = substr($0, 1, RLENGTH); $0 = substr($0, RLENGTH + 1) }
			else if (match($0, /^ [A-Z][^ ]* /)) { argument = substr($0, 2, RLENGTH - 2); $0 = substr($0, RLENGTH + 1) }
			sub(/^=/, "", argument)
			sub(/^ +/, "")
			print short, long, argument, $0
			if (also) print also, "-", "-", $0
		}'
}

# What fits an option's argument, as _arguments takes it.
_stap_action() {
	case $1,$2 in
	(*,DIR*) echo '_files -/' ;;
	(*,FILE*) echo _files ;;
	(*,CMD*) echo '_command_names -e' ;;
	(*,PID*) echo '($(cd /proc && echo [0-9]*))' ;;
	(r,* | vm,*) echo '_path_files -/ -W /lib/modules' ;;
	(to,*) echo '(ctf\: flame\: kafka\: lket\: mysql\: pcap\: perfetto\: postgresql\: sqlite\:)' ;;
	(on-disk-full,*) echo '(end wait)' ;;
	(on-full,*) echo '(drop overwrite throttle)' ;;
	(runtime,*) echo '(kernel user)' ;;
	(color,* | C,*) echo '(always never auto)' ;;
	(p,PORT) echo ' ' ;;
	(p,*) echo '(1 2 3 4 5)' ;;
	(container,*) echo '($(stap-container -l 2> /dev/null | awk "NR > 1 { print \$1 }"))' ;;
	(status,* | stop,*) echo '($(stap --status 2> /dev/null | awk "NR > 1 { print \$1 }"))' ;;
	(*,*'|'*) echo "(${${2//[^a-z|]/}//|/ })" ;;
	(*) echo ' ' ;;
	esac
}

_stap() {
	if [[ $service = stap && $words[2] = service ]]; then
		(( CURRENT > 3 )) && compadd - /etc/stap/scripts/*.stp(N:t:r) || compadd enable disable status check run
		return
	fi
	local -a specs
	local short long argument text name message
	while read -r short long argument text; do
		text=${${${text//\\/\\\\}//\[/\\[}//\]/\\]}
		text=${text//:/\\:}
		message=${${${argument//[\[\]=]/}//:/ }:-value}
		if [[ $short != - ]]; then
			name=-$short
			[[ $argument == - || $long != - && $argument == '['* ]] || name+=+
			specs+=("*${name}[$text]${${argument:#-}:+:$message:$(_stap_action $short $argument)}")
		fi
		if [[ $long != - ]]; then
			name=--$long
			[[ $argument == - ]] || name+==
			[[ $argument != '['* ]] || name+=-
			specs+=("*${name}[$text]${${argument:#-}:+:$message:$(_stap_action $long $argument)}")
		fi
	done < <(_stap_read_options)
	case $service in
	(stap) specs+=('*:script:_files -g "*.stp(-.)"') ;;
	(stap-exporter) specs+=('*:script:_files -g "*.stp(-.)"') ;;
	(stap-prep) specs+=('1:release:_path_files -/ -W /lib/modules') ;;
	(stap-report) ;;
	(stap-merge|lket-b2a) specs+=('*:file:_files') ;;
	(*) specs+=('1:module:_files -g "*.ko(-.)"' '*:parameter: ') ;;
	esac
	_arguments -s -S $specs
}

_stap "$@"
