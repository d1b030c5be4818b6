# SPDX-License-Identifier: GPL-2.0-or-later
# html.pl OUT PAGE…: writes the manual pages as a site into the folder OUT, through mandoc(1): a file for each page,
# those of the library's names in the page of their tapset, an index, and a search that takes scripts in the browser.
# tools/html.css and tools/html.js lie beside it. make html runs it.
use strict;
use warnings;
use utf8;
use open qw(:std :utf8);
use File::Basename;
use File::Copy;

my ($out, @files) = @ARGV;
my $here = dirname($0);
my (%page, %shown_in);

# A page: name, section, what it is, body. mandoc takes many files at once, and begins each with a table.
sub read_pages {
	my @some = @_;
	open my $in, "-|", "mandoc", "-K", "utf-8", "-T", "html", "-O", "fragment", @some or die "mandoc: $!\n";
	my $all = do { local $/; <$in> };
	close $in;
	my @bodies = split /<table class="head">.*?<\/table>/s, $all;
	shift @bodies;
	die "mandoc: " . @bodies . " pages of " . @some . "\n" if @bodies != @some;
	for my $file (@some) {
		my ($name, $section) = basename($file) =~ /^(.*)\.([0-9][a-z]*)$/;
		my $body = shift @bodies;
		$body =~ s/<dt id="(?:probe|function|macro)::[^"]*"><a class="permalink"[^>]*>(.*?)<\/a>/<dt>$1/gs;
		$body =~ s/<table class="foot">.*?<\/table>//s;
		# Lines that begin with a blank get an empty line in front; a <pre> wants none.
		$body =~ s{(<pre>)(.*?)(</pre>)}{my ($a, $b, $c) = ($1, $2, $3); $b =~ s/<br\/>\n//g; $b =~ s/\s+$//; "$a$b$c"}gse;
		my ($what) = $body =~ /id="NAME".*?<p class="Pp">(.*?)<\/p>/s;
		$what = "" unless defined $what;
		$what =~ s/<[^>]*>//g;
		$what =~ s/\s+/ /g;
		$what =~ s/^.*? [-–—] //;
		$what =~ s/\.\s+[A-Z].*//; # the first sentence, whole
		my ($tapset) = $body =~ /<b>(tapset::[^<]+)<\/b>\(3stap\)/;
		$page{$name} = { name => $name, section => $section, what => $what, body => $body };
		$shown_in{$name} = $name =~ /^(probe|function|macro)::/ && $tapset ? $tapset : $name;
	}
}

# In the address, because "error::pass2.html" would be taken for a scheme; '%' first.
sub file_of { my $n = shift; $n =~ s/::/-/g; return "$n.html"; }
sub url_of {
	my ($name) = @_;
	my $in = $shown_in{$name};
	return "messages.html#$1" if $name =~ /^message::(.*)/;
	return "scripts.html#$1" if $name =~ /^script::(.*)/;
	return file_of($name) if $in eq $name || !$page{$in};
	my $id = $name;
	$id =~ s/([^A-Za-z0-9_.:-])/sprintf "%%%02X", ord $1/ge;
	return file_of($in) . "#$id";
}

# name(section) in the text becomes a link, where there is such a page.
sub link_pages {
	my ($body) = @_;
	my $link = sub {
		my ($name, $section, $text) = @_;
		my $plain = $name;
		$plain =~ s/\s+//g;
		return $page{$plain} && index($page{$plain}{section}, $section) == 0 || $page{$plain} && $section =~ /^[137]/
			? "<a href=\"" . url_of($plain) . "\">$text</a>" : $text;
	};
	$body =~ s{(<b>([A-Za-z0-9_:.@*-]+)</b>\(([0-9][a-z]*)\))}{$link->($2, $3, $1)}ge;
	$body =~ s{(<b>([A-Za-z0-9_:.@*-]+)\s+\((3stap)\)</b>)}{$link->($2, $3, $1)}ge;
	$body =~ s{<a class="permalink"[^>]*>(<a href.*?</a>)</a>}{$1}gs;
	return $body;
}

sub text_of {
	my ($text) = @_;
	$text =~ s/<[^>]*>//g;
	$text =~ s/\s+/ /g;
	return $text;
}

sub html_text { my $t = shift; $t =~ s/&/&amp;/g; $t =~ s/</&lt;/g; $t =~ s/>/&gt;/g; return $t; }

sub write_page {
	my ($file, $title, $body) = @_;
	open my $to, ">", "$out/$file" or die "$out/$file: $!\n";
	print $to <<"END";
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<link rel="stylesheet" href="html.css">
<script src="index.js" defer></script>
<script src="html.js" defer></script>
</head>
<body>
<header><a href="index.html"><b>stap</b></a>
<a href="stap-tutorial.html">Tutorial</a>
<a href="stap-language.html">Language</a>
<a href="stapprobes.html">Probes</a>
<a href="stap-recipes.html">Recipes</a>
<a href="scripts.html">Scripts</a>
<a href="pictures.html">Pictures</a>
<a href="stap-costs.html">Costs</a>
<a href="index.html#library">Library</a>
<form id="search" hidden><input type="search" placeholder="Search" aria-label="Search"></form></header>
<ol id="found" hidden></ol>
<main>
$body
</main>
</body>
</html>
END
	close $to or die "$out/$file: $!\n";
}

# The names of a tapset, below its own page; headings two levels deeper, and their ids made unlike.
sub part {
	my ($p) = @_;
	my $body = $p->{body};
	$body =~ s/<section class="Sh">\s*<h1[^>]*id="NAME".*?<\/section>//s;
	$body =~ s/<section class="Sh">\s*<h1[^>]*id="SEE_ALSO".*?<\/section>//s;
	$body =~ s/ id="[^"]*"//g;
	$body =~ s/<a class="permalink"[^>]*>(.*?)<\/a>/$1/gs;
	$body =~ s/<(\/?)h1/<$1h3/g;
	my $name = html_text($p->{name});
	return "<section class=\"name\" id=\"$name\"><h2><a class=\"permalink\" href=\"#$name\">$name</a></h2>\n"
		. "<p>$p->{what}</p>\n" . link_pages($body) . "</section>\n";
}

sub contents { # of headings of the first level, where there are several
	my ($body) = @_;
	my @heads;
	push @heads, [ $1, text_of($2) ] while $body =~ /<h1 class="Sh" id="([^"]*)">(.*?)<\/h1>/gs;
	return "" if @heads < 5;
	return "<nav><ul>" . join("", map { "<li><a href=\"#$_->[0]\">$_->[1]</a></li>" } @heads) . "</ul></nav>\n";
}

# The classes of stap --explain, all in one page.
sub explained {
	my $body = "<h1>What messages mean</h1>\n<p><b>stap --explain</b> <i>MESSAGE</i> prints the same.</p>\n";
	for my $file (sort glob "$here/../explain/*.txt") {
		open my $in, "<", $file or die "$file: $!\n";
		my $text = do { local $/; <$in> };
		close $in;
		my ($name, $what, undef, $below) = $text =~ /^(\S+) - ([^\n]*)\n((?:[^\n]+\n)*)\n(.*)/s or die "$file: no head\n";
		$page{"message::$name"} = { name => "message::$name", section => "", what => html_text($what), body => "" };
		$shown_in{"message::$name"} = "message::$name";
		my @said = $text =~ /^message: (.*)$/mg;
		s/\*/…/g for @said;
		$below = html_text($below);
		$below =~ s{((?:^\t.*\n?)+)}{my $c = $1; $c =~ s/^\t//mg; chomp $c; "<pre>$c</pre>\n"}gme;
		$below =~ s{^(wrong|right):(.*)$}{"<p><b>\u$1</b>" . ($2 ? ", with$2" : "") . ":</p>"}gme;
		$below =~ s{\n\n(?=[A-Za-z(<])}{\n<p>}g;
		$body .= "<section class=\"name\" id=\"$name\"><h2><a class=\"permalink\" href=\"#$name\">$name</a></h2>\n"
			. "<p>" . html_text($what) . "</p>\n<details><summary>Messages</summary><ul>"
			. join("", map { "<li>" . html_text($_) . "</li>" } @said) . "</ul></details>\n<p>$below</section>\n";
	}
	return $body;
}

# The questions of stap-recipes(7) by script, and their scripts by topic, from the page's source.
sub questions {
	my (%asked, $question);
	open my $in, "<", "$here/../man/stap-recipes.7stap" or die "stap-recipes.7stap: $!\n";
	while (<$in>) {
		s/\\-/-/g;
		$question = $1 if /^\.B "(.*\?)"$/;
		next unless $question && /^\.BR? ([a-z][a-z0-9-]*)\b/;
		push @{ $asked{$1} }, $question unless grep { $_ eq $question } @{ $asked{$1} || [] };
	}
	close $in;
	return %asked;
}

# A ready script: its name, topic, what it shows, more about it, usage, words, sample, source.
sub read_script {
	my ($file) = @_;
	open my $in, "<", $file or die "$file: $!\n";
	my $source = do { local $/; <$in> };
	close $in;
	my ($head) = $source =~ m{/\*\n(.*?)\n \*/}s or return;
	$head =~ s/^ \* ?//mg;
	my ($name, $what) = $head =~ /^(\S+?)(?:\.stp)? - (.*)/ or return;
	my ($more) = $head =~ /^\S+ - .*\n((?:.*\n)*?)Usage:/m;
	my ($usage) = $head =~ /^Usage: +(.*)/m;
	my ($words) = $head =~ /^Words: (.*)/m;
	my ($sample) = $head =~ /^Sample:\n((?:    .*\n|\n)*)/m;
	$sample = "" unless defined $sample;
	$sample =~ s/^    //mg;
	$sample =~ s/\s+$//;
	my ($topic) = $file =~ m{([^/]*)/[^/]*$};
	return { name => $name, topic => $topic, what => $what, more => $more, usage => $usage, words => $words || "",
		sample => $sample, source => $source };
}

# doc/pictures.md: headings, paragraphs, code and pictures.
sub pictures {
	open my $in, "<", "$here/../doc/pictures.md" or die "doc/pictures.md: $!\n";
	my $text = do { local $/; <$in> };
	close $in;
	my $body = "";
	for (split /\n\n+/, $text) {
		my $part = html_text($_);
		my ($script) = /^`.*--example ([a-z-]+)/;
		$part =~ s{^`([^`]*)`$}{<pre>$1</pre>} or $part =~ s{`([^`]*)`}{<code>$1</code>}g;
		$part =~ s{^# (.*)}{<h1>$1</h1>} or $part =~ s{^## (.*)}{<h2>$1</h2>}
			or $part =~ s{^!\[(.*)\]\((.*)\)}{<p><img src="$2" alt="$1"></p>}
			or $part =~ /^<pre>/ or $part = "<p>$part</p>";
		$part =~ s{--example ([a-z-]+)}{--example <a href="scripts.html#$1">$1</a>} if $script;
		$body .= "$part\n";
	}
	return $body;
}

# Pictures of that page by the ready script that their commands run.
sub pictures_of_scripts {
	my (%ret, $script);
	open my $in, "<", "$here/../doc/pictures.md" or die "doc/pictures.md: $!\n";
	while (<$in>) {
		$script = /--example ([a-z-]+)/ ? $1 : "" if /^`/;
		$ret{$script} ||= "<p><img src=\"$2\" alt=\"$1\"></p>\n" if /^!\[(.*)\]\((.*)\)/ && $script;
	}
	close $in;
	return %ret;
}

# The ready scripts, all in one page: question, usage, sample, source, and a picture of those that are made for one.
sub scripts {
	my %asked = questions();
	my %picture = pictures_of_scripts();
	my $body = "<h1>Ready scripts</h1>\n<p><b>stap --example</b> <i>NAME</i> runs one, "
		. "<b>stap --examples=</b><i>WORDS</i> finds some.</p>\n";
	my ($topic, @topics) = ("");
	for my $s (grep { $_ } map { read_script($_) } sort glob "$here/../examples/*/*.stp") {
		my $name = $s->{name};
		my $question = join " ", map { "<b>" . html_text($_) . "</b>" } @{ $asked{$name} || [] };
		my $picture = $picture{$name} || "";
		$page{"script::$name"} = { name => "script::$name", section => "", what => html_text($s->{what}),
			body => html_text("$s->{words} $s->{more} @{ $asked{$name} || [] }") };
		$shown_in{"script::$name"} = "script::$name";
		if ($s->{topic} ne $topic) {
			$topic = $s->{topic};
			push @topics, $topic;
			$body .= "<h2 id=\"topic-$topic\">\u$topic</h2>\n";
		}
		$body .= "<section class=\"name\" id=\"$name\"><h3><a class=\"permalink\" href=\"#$name\">$name</a></h3>\n"
			. "<p>" . html_text($s->{what}) . "</p>\n" . ($question ? "<p>$question</p>\n" : "")
			. join("", map { "<p>" . html_text($_) . "</p>\n" } grep { /\S/ } split /\n\n/, $s->{more})
			. "<pre>" . html_text($s->{usage}) . "</pre>\n"
			. ($s->{sample} ne "" ? "<p>Sample:</p>\n<pre>" . html_text($s->{sample}) . "</pre>\n" : "") . $picture
			. "<details><summary>Source</summary><pre>" . html_text($s->{source}) . "</pre></details></section>\n";
	}
	my $contents = join "", map { "<li><a href=\"#topic-$_\">\u$_</a></li>" } @topics;
	$body =~ s{</p>\n}{</p>\n<nav><ul>$contents</ul></nav>\n};
	return $body;
}

# Names of ready scripts in the recipes become links.
sub link_scripts {
	my ($body) = @_;
	$body =~ s{<b>([a-z][a-z0-9-]*)</b>}{$page{"script::$1"} ? "<a href=\"scripts.html#$1\"><b>$1</b></a>" : "<b>$1</b>"}ge;
	return $body;
}

sub list_of {
	return "<dl class=\"pages\">" . join("", map {
		"<dt><a href=\"" . url_of($_) . "\">" . html_text($_) . "</a></dt><dd>$page{$_}{what}</dd>\n"
	} @_) . "</dl>\n";
}

my @rest = @files;
while (my @some = splice @rest, 0, 500) { read_pages(@some); }
my %names_of;
for (sort keys %page) { push @{ $names_of{ $shown_in{$_} } }, $_ if $shown_in{$_} ne $_; }
write_page("scripts.html", "Ready scripts", scripts());
$page{"stap-recipes"}{body} = link_scripts($page{"stap-recipes"}{body}) if $page{"stap-recipes"};
for my $name (sort keys %page) {
	next if $name =~ /^script::/;
	next if $shown_in{$name} ne $name && $page{ $shown_in{$name} };
	my $p = $page{$name};
	my $body = "<h1>" . html_text($name) . "</h1>\n" . contents($p->{body}) . link_pages($p->{body});
	$body .= part($page{$_}) for @{ $names_of{$name} || [] };
	write_page(file_of($name), html_text("$name($p->{section})"), $body);
}

write_page("pictures.html", "What it looks like", pictures());
write_page("messages.html", "Messages", explained());
my @learn = grep { $page{$_} }
	qw(stap-tutorial stap-language stapprobes stap-recipes stap-coming-from stap-costs stap-in-containers);
my %is_learn = map { $_ => 1 } @learn;
my @messages = grep { /^(error|warning)::/ } sort keys %page;
my @library = grep { /^tapset::/ } sort keys %page;
my @commands = grep { !/::/ && !$is_learn{$_} } sort keys %page;
write_page("index.html", "stap", join "",
	"<h1>stap</h1>\n<p>Trace a running Linux kernel, and the programs on it, with a script.</p>\n",
	"<h2>Learn</h2>", list_of(@learn),
	"<p><a href=\"pictures.html\">What it looks like</a>: a picture of each kind of output.</p>\n",
	"<h2>Ready scripts</h2><p><a href=\"scripts.html\">All ready scripts</a>: ",
	"the question that each answers, a sample of its output, and its source.</p>\n",
	"<h2>Commands and files</h2>", list_of(@commands),
	"<h2>Messages</h2><p><a href=\"messages.html\">What messages mean</a>: ",
	"each class with its cause, a wrong and a right script.</p>\n", list_of(@messages),
	"<h2 id=\"library\">The script library</h2>", list_of(@library));

# For the search: name, address, what it is, and for whole pages the words of their text.
sub js {
	my ($t) = @_;
	my %of = (lt => "<", gt => ">", quot => '"', amp => "&", apos => "'", "#x27" => "'");
	$t =~ s/&(#?[a-z0-9]+);/exists $of{$1} ? $of{$1} : "?"/ge;
	$t =~ s/([\\"])/\\$1/g;
	$t =~ s/\n/ /g;
	$t =~ s/</\\u003c/g;
	return "\"$t\"";
}
open my $to, ">", "$out/index.js" or die "$out/index.js: $!\n";
print $to "const pages = [\n";
for my $name (sort keys %page) {
	my %words;
	my $text = $name =~ /^(?!script)\w+::/ ? "" : text_of($page{$name}{body});
	$words{lc $1} = 1 while $text =~ /([\w\$\@-]{3,})/g;
	print $to "[", join(",", map { js($_) } $name, url_of($name), $page{$name}{what}, join " ", sort keys %words), "],\n";
}
print $to "];\n";
close $to or die "$out/index.js: $!\n";
copy("$here/$_", "$out/$_") or die "$here/$_: $!\n" for qw(html.css html.js);
mkdir "$out/pictures";
copy($_, "$out/pictures/" . basename($_)) or die "$_: $!\n" for glob "$here/../doc/pictures/*";
