# SPDX-License-Identifier: GPL-2.0-or-later
# Completion in zsh and fish: every option of -h for each of the programs, and the arguments of some options.
# skip: no_program zsh
# skip: no_program fish
. "$TOP/tests/cli/expect.inc"
export PATH=$(dirname "$STAP"):$PATH HOME=$PWD
mkdir -p functions
cp "$TOP/man/stap.zsh" functions/_stap
: > a.stp; : > b.ko
declared='_arguments() { print -rl -- "$@" }; . ./functions/_stap'

exporter=$([ ! -x "$(dirname "$STAP")/stap-exporter" ] || echo stap-exporter)
for program in stap stap-prep stap-report staprun stapio stap-merge lket-b2a $exporter; do
	cp "$TOP/man/stap.fish" "$program.fish"
	"$program" -h 2> /dev/null | sed -n 's/^ \{1,\}\(-.*\)/\1/p' |
		sed 's/^\(-[A-Za-z]\), /\1 /; s/=.*//; s/\[$//' |
		grep -oE '^-[A-Za-z]( -[A-Za-z]|)( --[a-z-]+|)|^--[a-z-]+' | tr ' ' '\n' | sort -u > help
	zsh -f -c "service=$program words=($program); $declared" 2> err |
		sed -n 's/^\*\(-[^+=[]*\).*/\1/p' | sort -u > zsh
	diff help zsh > out || say_wrong "$program: zsh differs from -h (<: -h, >: completion): $(cat out err)"
	fish -c ". ./$program.fish; complete -C '$program -'; complete -C '$program --'" 2> err |
		cut -f 1 | sort -u > fish
	diff help fish > out || say_wrong "$program: fish differs from -h (<: -h, >: completion): $(cat out err)"
done

fish -c '. ./stap.fish; complete -C "stap --on-full="; complete -C "stap --privilege=stapd"; complete -C "stap a"' \
	2> err | cut -f 1 > out
printf -- '--on-full=%s\n' drop overwrite throttle > expected
printf -- '--privilege=stapdev\na.stp\n' >> expected
diff expected out || say_wrong "fish: arguments: $(cat err)"

fish -c '. ./stap.fish; complete -C "stap service "; complete -C "stap serv"' 2> err | cut -f 1 | sort > out
printf '%s\n' check disable enable run service status > expected
diff expected out || say_wrong "fish: stap service: $(cat err)"
bash -c '. "$TOP/man/stap.bash"; COMP_WORDS=(stap service d) COMP_CWORD=2; _stap; echo "${COMPREPLY[@]}"
	COMP_WORDS=(stap serv) COMP_CWORD=1; _stap; echo "${COMPREPLY[@]}"' > out 2> err
printf '%s\n' disable service > expected
diff expected out || say_wrong "bash: stap service: $(cat err)"

if [ -n "$exporter" ]; then
	mkdir -p conf
	( . "$TOP/man/staprun.bash"
	ask() { COMP_WORDS=(stap-exporter "$@"); COMP_CWORD=$#; _stap_exporter; echo "${COMPREPLY[@]}"; }
	ask --po; ask -s c; ask --scripts = c; ask --web-config = b.; ask --port = ''; ask --keepa ) > out 2> err
	printf '%s\n' --port= conf conf b.ko '' --keepalive= > expected
	diff expected out || say_wrong "bash: stap-exporter: $(cat err)"
	fish -c '. ./stap-exporter.fish; complete -C "stap-exporter --scripts=c"' 2> err | cut -f 1 > out
	grep -q '^--scripts=conf/$' out || say_wrong "fish: stap-exporter: $(cat out err)"
fi

# zsh itself takes what _arguments is given: on a terminal, it lists the words that fit.
cat > terminal.zsh <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= TERM=dumb; fpath=($PWD/functions \$fpath); autoload -U compinit; compinit -u -D"
zpty -w shell "bindkey '^I' list-choices; echo rea''dy"
wait_for() {
	local text
	while zpty -r shell text; do
		print -rn -- "$text"
		[[ $text != *$1* ]] || return 0
	done
	return 1
}
wait_for ready
zpty -w -n shell $'stap --on-full=\t'; wait_for throttle
zpty -w -n shell $'\C-ustap --privilege=\t'; wait_for stapusr
zpty -w -n shell $'\C-ustaprun \t'; wait_for b.ko
zpty -w -n shell $'\C-ustap service d\t'; wait_for disable
END
timeout -k 5 60 zsh -f terminal.zsh > out 2>&1 || say_wrong "zsh on a terminal: $(tail -n 5 out)"
finish
