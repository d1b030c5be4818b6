# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of staprun's, stapio's, stap-merge's, lket-b2a's, stap-exporter's, stap-prep's and stap-report's command lines for bash. The options are those of their -h.

# _stap_run_options PATTERN: of -h; those with an argument and a long name end in '='.
_stap_run_options() {
	"${COMP_WORDS[0]/#\~/$HOME}" -h 2>/dev/null | grep -oE '^ +(--[a-z-]+=?|-[A-Za-z](, -[A-Za-z])*(, --[a-z-]+=?)?)' | tr -d , | tr ' ' '\n' | grep -xE -- "$1"
}

# _stap_run WORDS…: the option that stands before says what fits; a word that is not an option is a file of the kinds that WORDS prints.
_stap_run() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}

	# "=" is a word of its own.
	if [ "$cur" = = ]; then
		cur=
	elif [ "$prev" = = ]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	[ "${COMP_WORDS[COMP_CWORD]}" != = ] || prev=${COMP_WORDS[COMP_CWORD - 1]}
	case ${COMP_WORDS[0]##*/}\ $prev in
	*-exporter\ -s | *-exporter\ --scripts) COMPREPLY=($(compgen -d -- "$cur")); return ;;
	*-exporter\ -w | *-exporter\ --web-config) COMPREPLY=($(compgen -f -- "$cur")); return ;;
	*-exporter\ -[plnk] | *-exporter\ --port | *-exporter\ --[lnk]*) COMPREPLY=(); return ;;
	esac
	case $prev in
	-o) COMPREPLY=($(compgen -f -- "$cur")) ;;
	-c) COMPREPLY=($(compgen -c -- "$cur")) ;;
	-x) COMPREPLY=($(compgen -W "$(cd /proc && ls -d [0-9]* 2>/dev/null)" -- "$cur")) ;;
	-C) COMPREPLY=($(compgen -W 'auto always never' -- "$cur")) ;;
	--container) COMPREPLY=($(compgen -W "$(stap-container -l 2>/dev/null | awk 'NR > 1 { print $1; if ($3 != "-") print $3 }')" -- "$cur")) ;;
	--to) COMPREPLY=($(compgen -S : -W 'ctf flame kafka lket mysql pcap perfetto postgresql sqlite' -- "$cur")); compopt -o nospace ;;
	--on-full) COMPREPLY=($(compgen -W 'drop overwrite throttle' -- "$cur")) ;;
	-A | -d) COMPREPLY=($(compgen -W "$(cd /proc && ls -d stap-* 2>/dev/null | sed s/stap-//)" -- "$cur")) ;;
	-S | -T | -G | -r | -s | --timeout | --fds | --ready | --values) COMPREPLY=() ;;
	*)
		case $cur in
		--*) COMPREPLY=($(compgen -W "$(_stap_run_options '--[a-z].*')" -- "$cur")) ;;
		-*) COMPREPLY=($(compgen -W "$(_stap_run_options '-[A-Za-z]')" -- "$cur")) ;;
		*) COMPREPLY=($(compgen -d -- "$cur") $("$@" "$cur")) ;;
		esac
		[[ ${COMPREPLY[0]} != --*= ]] || compopt -o nospace 2>/dev/null
		;;
	esac
}

# Modules here, and those that root has installed.
_stap_modules() {
	compgen -f -X '!*.ko' -- "$1"
	compgen -W "$(cd "/lib/modules/$(uname -r)/systemtap" 2>/dev/null && ls | sed -n 's/\.ko$//p')" -- "$1"
}

_stap_files() { compgen -f -- "$1"; }
_stap_scripts() { compgen -f -X '!*.stp' -- "$1"; }

_staprun() { _stap_run _stap_modules; }
_stapio() { _stap_run _stap_modules; }
_stap_merge() { _stap_run _stap_files; }
_lket_b2a() { _stap_run _stap_files; }
_stap_exporter() { _stap_run _stap_scripts; }
_stap_releases() { compgen -W "$(ls /lib/modules 2>/dev/null)" -- "$1"; }
_stap_nothing() { :; }
_stap_prep() { _stap_run _stap_releases; }
_stap_report() { _stap_run _stap_nothing; }
complete -F _stap_prep stap-prep
complete -F _stap_report stap-report
complete -o filenames -F _staprun staprun
complete -o filenames -F _stapio stapio
complete -o filenames -F _stap_merge stap-merge
complete -o filenames -F _lket_b2a lket-b2a
complete -o filenames -F _stap_exporter stap-exporter
