# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of stap's command line for bash. The options are those of stap -h.

# _stap_options PATTERN: of -h; those with an argument and a long name end in '='.
_stap_options() {
	"${COMP_WORDS[0]/#\~/$HOME}" -h 2>/dev/null | sed -nE '/^Examples/q; s/^ +(-[A-Za-z](, )?)?(--[a-z-]+)?(=|\[=| [A-Z])?.*/\1 \3\4/p' |
		sed -E 's/,//; s/(--[a-z-]+).*[=A-Z]$/\1=/' | tr ' ' '\n' | grep -xE -- "$1"
}

_stap_releases() {
	local IFS=: dir
	for dir in ${STAP_KERNELS-} / /var/lib/stap/kernels "${SYSTEMTAP_DIR:-$HOME/.systemtap}/kernels"; do ls "$dir/lib/modules" 2>/dev/null; done
}

_stap_services() {
	local file
	for file in /etc/stap/scripts/*.stp; do
		[ ! -e "$file" ] || basename "$file" .stp
	done
}

_stap() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local limits='MAXSTRINGLEN= MAXMAPENTRIES= MAXMAPMEMORY= MAXACTION= MAXACTION_INTERRUPTIBLE= MAXNESTING= MAXBACKTRACE= MAXERRORS= MAXSKIPPED= MAXTRYLOCK= TRYLOCKDELAY=
		STP_OVERLOAD_THRESHOLD= STP_OVERLOAD_INTERVAL='

	# "=" is a word of its own: --runtime=user comes as three.
	if [ "$cur" = = ]; then
		cur=
	elif [ "$prev" = = ]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	[ "${COMP_WORDS[COMP_CWORD]}" != = ] || prev=${COMP_WORDS[COMP_CWORD - 1]}
	case $prev in
	-p) COMPREPLY=($(compgen -W '1 2 3 4 5' -- "$cur")) ;;
	-r | --vm) COMPREPLY=($(compgen -W "$(_stap_releases)" -- "$cur")) ;;
	-x) COMPREPLY=($(compgen -W "$(cd /proc && ls -d [0-9]* 2>/dev/null)" -- "$cur")) ;;
	-D) COMPREPLY=($(compgen -W "$limits" -- "$cur")) && compopt -o nospace 2>/dev/null ;;
	-I) COMPREPLY=($(compgen -d -- "$cur")) ;;
	-o | -d | --btf) COMPREPLY=($(compgen -f -- "$cur")) ;;
	-c) COMPREPLY=($(compgen -c -- "$cur")) ;;
	--container) COMPREPLY=($(compgen -W "$(stap-container -l 2>/dev/null | awk 'NR > 1 { print $1; if ($3 != "-") print $3 }')" -- "$cur")) ;;
	--to) COMPREPLY=($(compgen -S : -W 'ctf flame kafka lket mysql pcap perfetto postgresql sqlite' -- "$cur")); compopt -o nospace ;;
	--on-disk-full) COMPREPLY=($(compgen -W 'end wait' -- "$cur")) ;;
	--on-full) COMPREPLY=($(compgen -W 'drop overwrite throttle' -- "$cur")) ;;
	--doc) COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" --doc '*' 2>/dev/null | awk '{ print $2 }')" -- "$cur")) ;;
	--example | --examples) COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" --examples 2>/dev/null | awk '/^  / { print $1 }')" -- "$cur")) ;;
	--explain) COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" --explain 2>/dev/null | awk '{ print $1 }')" -- "$cur")) ;;
	--status | --stop) COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" --status 2>/dev/null | awk 'NR > 1 { print $1 }')" -- "$cur")) ;;
	--runtime) COMPREPLY=($(compgen -W 'kernel user' -- "$cur")) ;;
	--color | --colour) COMPREPLY=($(compgen -W 'always never auto' -- "$cur")) ;;
	-e | -E | -m | -G | -l | -L | -s | -S | -T) COMPREPLY=() ;;
	*)
		case $cur in
		--*) COMPREPLY=($(compgen -W "$(_stap_options '--[a-z].*')" -- "$cur")) ;;
		-*) COMPREPLY=($(compgen -W "$(_stap_options '-[A-Za-z]')" -- "$cur")) ;;
		*)
			case ${COMP_WORDS[1]},$COMP_CWORD in
			service,2) COMPREPLY=($(compgen -W 'enable disable status check run' -- "$cur")) ;;
			service,*) COMPREPLY=($(compgen -W "$(_stap_services)" -- "$cur")) ;;
			*) COMPREPLY=($(compgen -f -X '!*.stp' -- "$cur") $(compgen -d -- "$cur")) ;;
			esac
			[ "$COMP_CWORD" != 1 ] || COMPREPLY+=($(compgen -W service -- "$cur"))
			;;
		esac
		[[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
		;;
	esac
}
complete -o filenames -F _stap stap
