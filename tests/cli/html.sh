# SPDX-License-Identifier: GPL-2.0-or-later
# make html: all pages are there, each link leads somewhere, nothing comes from the network, and the search finds names.
# skip: no_program mandoc
# skip: no_program perl
# guards: tools/html.pl tools/html.js tools/html.css man tapset
. "$TOP/tests/cli/expect.inc"
mkdir library site
for page in probe::vm.pagefault probe::addevent.nfs.proc.write_done.return function::pid tapset::vm \
	tapset::context macro::task; do
	[ -e "$TOP/build/man/$page.3stap" ] && cp "$TOP/build/man/$page.3stap" library
done
if [ ! -e library/tapset::vm.3stap ]; then
	(cd "$TOP" && "${STAP%/*}/tapset-man" . "$WORK/library") > out 2> err || say_wrong 'the library has no pages'
fi
"$(type -P perl)" "$TOP/tools/html.pl" site "$TOP"/man/*.[1-8] "$TOP"/man/*.[1-8]stap library/*.3stap > out 2> err ||
	say_wrong 'the site is not made'
[ ! -s err ] || say_wrong 'the site is made with messages'
for page in "$TOP"/man/*.[1-8] "$TOP"/man/*.[1-8]stap; do
	name=${page##*/} name=${name%.*}
	[ -s "site/${name//::/-}.html" ] || say_wrong "$name is not in the site"
done
cat > links.pl <<'END'
use strict; use warnings; use utf8; use open qw(:std :utf8);
my (%ids, @links);
chdir "site";
for my $file (glob "*.html") {
	open my $in, "<", $file or die; my $text = do { local $/; <$in> };
	$ids{$file}{""} = 1;
	$ids{$file}{$1}++ && print "$file: two ids $1\n" while $text =~ /\bid="([^"]*)"/g;
	print "$file: from the network: $1\n" while $text =~ /((?:src|<link[^>]*href)="(?:[a-z]+:)?\/\/[^"]*")/g;
	push @links, [ $file, $1 ] while $text =~ /href="([^"]*)"/g;
	print "$file: markup that is never closed\n" if (() = $text =~ /<pre[ >]/g) != (() = $text =~ /<\/pre>/g);
}
open my $index, "<", "index.js" or die;
while (<$index>) { push @links, [ "index.js", $1 ] if /^\["(?:[^"\\]|\\.)*","([^"]*)"/; }
for (@links) {
	my ($from, $to) = @$_;
	next if $to =~ /^(https?|mailto):/ || $to =~ /\.css$/;
	my ($file, $id) = $to =~ /^([^#]*)#?(.*)$/;
	$id =~ s/%([0-9A-F]{2})/chr hex $1/ge;
	$id =~ s/&amp;/&/g;
	print "$from: leads nowhere: $to\n" unless $ids{ $file || $from }{$id};
}
print scalar(@links), " links\n";
END
perl links.pl > links
grep -v ' links$' links | sort -u > out
[ ! -s out ] || say_wrong "$(wc -l < out) links or ids are wrong"
[ "$(sed -n 's/ links$//p' links)" -gt 500 ] || say_wrong 'the links could not be read'
# Without JavaScript a page is what stands in the file: there is no search that does nothing.
page=site/stap-tutorial.html
grep -q 'THE FIRST PROBE' $page && grep -q '<form id="search" hidden' $page ||
	say_wrong 'the page is not readable without JavaScript, or shows a search'
grep -q '<pre>' site/messages.html && grep -q 'id="type-mismatch"' site/messages.html || say_wrong 'no messages'
# Every ready script is there with its question, sample and source, and the recipes lead to it.
for script in "$TOP"/examples/*/*.stp; do
	name=$(basename "$script" .stp)
	grep -q "id=\"$name\"" site/scripts.html || say_wrong "no script $name"
	grep -q "href=\"scripts.html#$name\"" site/stap-recipes.html || say_wrong "no link to $name"
done
grep -q '<b>Who deletes my file?</b>' site/scripts.html || say_wrong 'no question of a script'
grep -q '^global sent, received$' site/scripts.html || say_wrong 'no source of a script'
# Each picture is small, on its page, and one that make pictures makes; a script whose output it is has it, too.
pictures=0
for picture in "$TOP"/doc/pictures/*; do
	name=${picture##*/}
	pictures=$((pictures + 1))
	grep -q "src=\"pictures/$name\"" site/pictures.html || say_wrong "$name is on no page"
	grep -q "^    \"$name\":" "$TOP/tools/pictures/pictures.py" || say_wrong "nothing makes $name"
	[ "$(stat -c %s "$picture")" -le 61440 ] || say_wrong "$name is larger than 60 KB"
	[ -e "site/pictures/$name" ] || say_wrong "the site lacks $name"
done
[ $pictures -ge 7 ] || say_wrong "$pictures pictures"
[ "$(grep -c 'src="pictures/' site/scripts.html)" -ge 5 ] || say_wrong 'no pictures beside the scripts'
grep -oE '\((doc/)?pictures/[^)]*' "$TOP/README.md" "$TOP/doc/pictures.md" | sed -E 's/.*\((doc\/)?/doc\//' |
	while read -r picture; do [ -e "$TOP/$picture" ] || echo "$picture"; done > out
[ ! -s out ] || say_wrong 'pictures that are not there'
grep 'The record has"' site/index.js > out && say_wrong 'a sentence is cut'
# search WORDS
search() {
	timeout -k 5 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/browser" --dump-dom \
		"file://$PWD/site/index.html?q=$1" > out 2> err
}
if type -P chromium > where; then
	search pagefault
	grep -q 'href="tapset-vm.html#probe::vm.pagefault"' out || say_wrong 'the search does not find vm.pagefault'
	grep -q '<form id="search">' out || say_wrong 'the search stays hidden'
	# One word may be missing; two may not.
	search 'deletes+my+file+xyzzy'
	grep -q 'href="scripts.html#removals"' out || say_wrong 'a word too many finds no script'
	search 'removals+xyzzy+yzzyx'
	grep -q 'No matches' out || say_wrong 'two words too many find something'
	rm -rf browser
fi
finish
