# SPDX-License-Identifier: GPL-2.0-or-later
# A test provokes every message of the translator's front end: a line of tests/errors or tests/cli contains its constant
# parts in this order.
cd "$TOP" || exit

# What no test can provoke, a pattern a line; each group has its reason.
allowed=$(grep -v '^#' <<-'END' | paste -sd'|'
# wrapped around a system's message, or pieces of other messages
^(%s|%s: %s|here|the other one)$
# system calls that fail on a sick machine only
^(fork|pipe|uname|cannot run %s|waiting for %s)$
: unpacking into memory$|: no memory for zstd$
# damaged or foreign files below /boot and /lib/modules, which tests leave alone
boot protocol|no boot header|its payload is packed|payload \[|packed data malformed|no symbol table found
carries no BTF|malformed ELF file: |has no section
# other machines: another architecture, the running kernel's headers without root
only %s kernels|loading a module needs root
# types that Debian's kernels have in no parameter or member that a test could name for sure
cannot be probed: %s|parameter '\$%s': %s|is passed by value in more than one register|which does not fit one register
a value of type '%s' \(%u bytes\)|the size of '%s' is not known
is not known to BTF: only its value|declared but not defined
# kernels without a part that Debian builds in
has no netfilter|this kernel was built without %s
# guards for families and callers to come: what reaches them today was refused before
an array is expected here|needs a module; --runtime=user|kernel %s has no system call
# a mistake of the translator itself: linked_parts.sh finds it in the sources
is written into the C file, and not in runtime/parts\.def
END
)

. tests/cli/messages.inc
sed 's/\\\([*.()?"]\)/\1/g' tests/errors/*.stp tests/cli/[!m]*.sh > "$WORK/provoked"
messages | grep -vE -- "$allowed" | while IFS= read -r text; do
	# Conversions stand for anything; what is literal has to be there.
	pattern=$(perl -e '
		my @parts = split /%%|%[-0-9.*#]*(?:ll|l|z)?[a-zA-Z]/, $ARGV[0];
		print join(".*", map { quotemeta } @parts);' -- "$text")
	grep -qP -- "$pattern" "$WORK/provoked" || echo "no test provokes: $text"
done > "$WORK/missing"
cat "$WORK/missing"
echo "$(messages | wc -l) messages"
[ "$(messages | wc -l)" -gt 100 ] && [ ! -s "$WORK/missing" ]
