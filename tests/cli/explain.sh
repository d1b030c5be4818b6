# SPDX-License-Identifier: GPL-2.0-or-later
# stap --explain: each message of the translator has a class in explain/, each pattern there matches a message, each
# wrong script gets the message, and each right one does not.
. "$TOP/tests/cli/expect.inc"
(cd "$TOP" && . tests/cli/messages.inc && messages) > literal
[ "$(wc -l < literal)" -gt 300 ] || say_wrong 'the messages of the translator could not be read'

# ---- messages: as they stand in the sources, and as the tests have seen them ----

# Texts that are no messages: pieces of others, and what goes around a system's message.
grep -vE '^(%s|%s%s|%s: %s|.%s.: %s|%s, and %s|here|the other one|,|fork|pipe|uname|waiting for %s|cannot run %s)$' literal |
	sed -E 's/%%/\x01/g; s/%[-0-9.*#]*(ll|l|z)?[a-zA-Z]/x/g; s/\x01/%/g' > messages
LC_ALL=C.UTF-8 sed -nE 's/^\/\/ *\^+ *(error|warning): //p' "$TOP"/tests/errors/*.stp |
	sed -E 's/^"|"$//g; s/\\([*.()?"])/\1/g' >> messages
sed -n "s/^refused='\(.*\)'\$/\1/p" "$TOP/tests/cli/unstored.sh" >> messages
sort -u messages -o messages
watched $STAP --explain - < messages | sed -n 's/^?: //p' > out
[ ! -s out ] || say_wrong "explain/ has no class for $(wc -l < out) messages"

# ---- patterns: each is some message's ----

grep -hE '^(ERROR|.*stp_error|.*STP_ERROR|.*_error\()' -r "$TOP/runtime" --include='*.[ch]' > runtime
grep -hE '"[^"]*(MAXACTION|MAXNESTING|MAXSKIPPED|threshold|division by 0|empty aggregate|fault|full)' -r "$TOP/runtime" \
	--include='*.[ch]' >> runtime
sed -nE 's/^message: //p' "$TOP"/explain/*.txt | sort > patterns
[ -z "$(uniq -d patterns)" ] || say_wrong "twice: $(uniq -d patterns)"
perl -CSD -e '
	my ($patterns, @from) = @ARGV;
	my $text = "";
	for (@from) { open my $f, "<", $_ or die; local $/; $text .= <$f>; }
	open my $p, "<", $patterns or die;
	while (<$p>) {
		chomp;
		my $expression = join ".*", map { quotemeta } split /\*/, $_, -1;
		print "$_\n" unless $text =~ /^$expression$/im || $text =~ /"[^"\n]*$expression/i;
	}' patterns messages runtime > out
[ ! -s out ] || say_wrong 'patterns of explain/ that no message has'

# ---- scripts ----

part() { # FILE wrong|right: writes its script to s.stp; prints its options
	awk -v part="$2:" '
		$1 == part { inside = 1; sub(/^[^:]*: ?/, ""); print; next }
		/^[a-z]+:/ { inside = 0 }
		inside && /^\t/ { print substr($0, 2) > "s.stp" }' "$1"
}
classes=0 tried=0
for file in "$TOP"/explain/*.txt; do
	name=${file##*/} name=${name%.txt}
	classes=$((classes + 1))
	grep -q "^$name - " "$file" || say_wrong "$name.txt does not begin with its name"
	target=(--runtime=user)
	if grep -qE '^(kernel: yes|runs: in a kernel)' "$file"; then
		[ -n "$KERNEL" ] || continue
		target=(-r "$KERNEL")
	fi
	pass=-p3
	! grep -q '^runs: yes' "$file" || pass=
	unset SYSTEMTAP_DEBUGINFO_PATH
	! grep -q '^debuginfo: no' "$file" || export SYSTEMTAP_DEBUGINFO_PATH=/nowhere
	tried=$((tried + 1))
	for which in wrong right; do
		rm -f s.stp
		options=$(part "$file" $which)
		[ -s s.stp ] || { say_wrong "$name has no script that is $which"; continue; }
		watched $STAP "${target[@]}" $pass $options s.stp > out 2> err
		status=$?
		if [ $which = right ]; then
			[ $status = 0 ] || say_wrong "$name: the right script fails"
			! grep -E '(error|warning|ERROR):' err || say_wrong "$name: the right script is complained of"
			continue
		fi
		if grep -q '^runs: in a kernel' "$file"; then
			[ $status = 0 ] || say_wrong "$name: the wrong script is not translated"
			continue
		fi
		[ $status != 0 ] || say_wrong "$name: the wrong script passes"
		grep -E '(error|warning|ERROR|stap):' err > complaints
		$STAP --explain - < complaints | grep -q "^$name: " ||
			say_wrong "$name: the wrong script is told something else"
		[ -s complaints ] || say_wrong "$name: the wrong script is told nothing"
	done
done
[ $tried -ge 25 ] || say_wrong "only $tried classes could be tried"

# ---- the command ----

check 0 '/^type-mismatch +a variable' '/^syntax +the' -- $STAP --explain
[ "$(wc -l < out)" = $classes ] || say_wrong "the list has not all $classes classes"
check 0 '/^type-mismatch - ' '/^Wrong:$' '/^Right:$' '/type mismatch: … expected' -- $STAP --explain type-mismatch
check 0 '/^type-mismatch - ' -- $STAP --explain=TYPE-MISMATCH
check 0 '/^type-mismatch - ' -- $STAP --explain \
	'x.stp:3:7: error: type mismatch: long expected, found string  [man error::pass2]'
check 0 '/^division-by-zero - ' -- $STAP --explain \
	"ERROR: division by 0 near operator '/' at x.stp:1:4 in probe begin"
check 0 '/^guru - ' -- $STAP --explain embedded C can do anything
check 0 '/^foreach +how' '/^array-changed +a' '!^regex ' '!^Wrong' -- $STAP --explain loop ARRAY
check 1 "/no message is explained by 'tpye-mismatch'; did you mean 'type-mismatch';" -- $STAP --explain tpye-mismatch
check 1 '/explained by .zz\?\[31m' -- $STAP --explain "$(printf 'zz\033[31m')"
check 1 '/^Pass 2: .*\[man error::pass2\] \[stap --explain unknown-function\] \[stap --explain type-mismatch\]$' \
	-- $STAP --runtime=user -p2 -e 'probe begin { n = 5; n = "t"; n = "u"; nothing_like(n); timr() }'
check 1 '/^guru: embedded C can do anything; it needs stap -g$' '/^[?]: such a thing$' -- sh -c \
	"printf 'embedded C can do anything; it needs stap -g\nsuch a thing\n' | $STAP --explain -"
finish
