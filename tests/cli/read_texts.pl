#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# read_texts.pl FILE…: the texts that a user reads, a line each: FILE:LINE, a tab, a paragraph or a message without its
# markup. Of C files these are the strings, adjacent ones joined; of scripts the head and the comments that
# documentation is made of, and the strings; of shell programs all but the comments; of pages the paragraphs.
use strict;
use warnings;

sub say_text
{
	my ($file, $line, $text) = @_;
	$text =~ s/\s+/ /g;
	$text =~ s/^ | $//g;
	print "$file:$line\t$text\n" if $text =~ /[a-z] [a-z]|^[A-Za-z]+ing /;
}

# Strings of C, and in scripts those comments that somebody reads.
sub c_text
{
	my ($file, $text, $script) = @_;
	my ($line, $start, $joined, $begun) = (1, 0, '', 0);
	while ($text =~ m{\G(?:(/\*.*?\*/)|(//[^\n]*|\#[^\n]*(?=\n))|"((?:\\.|[^"\\\n])*)"|('(?:\\.|[^'\\\n])+')|(\s+)|([A-Za-z_0-9]+)|(.))}gs) {
		my ($comment, $oneline, $string, $space, $word, $other) = ($1, $2, $3, $5, $6, $7);
		my $whole = $&;
		if (defined $string) {
			$string =~ s/\\n/ /g;
			$string =~ s/\\(.)/$1/g;
			$start = $line unless $begun;
			$begun = 1;
			$joined .= $string;
		} elsif (defined $oneline && $whole =~ /^#/ && $whole =~ /"/ && !$script) {
			say_text($file, $line, join ' ', $whole =~ /"((?:\\.|[^"\\])*)"/g);
		} elsif (defined $comment && $script && ($comment =~ m{^/\*\*} || !$begun && $comment =~ /Usage:/)) {
			$comment =~ s{^/\*+|\*/$}{}g;
			my $at = $line;
			for my $row (split /\n/, $comment) {
				$row =~ s/^\s*\* ?//;
				$row =~ /^\s*$/ ? do { say_text($file, $start || $at, $joined); ($joined, $start) = ('', 0) }
						: do { $start ||= $at; $joined .= " $row" };
				$at++;
			}
			say_text($file, $start || $line, $joined);
			($joined, $begun, $start) = ('', 0, 0);
		} elsif ($begun && defined $word && $word =~ /^(?:PRI|[A-Z_]+$)/) {
			$joined .= "<$word>";
		} elsif ($begun && !defined $space && !defined $comment && !defined $oneline) {
			say_text($file, $start, $joined);
			($joined, $begun, $start) = ('', 0, 0);
		}
		$line += $whole =~ tr/\n//;
	}
}

sub paragraphs
{
	my ($file, $is_page, @lines) = @_;
	my ($start, $joined, $line) = (0, '', 0);
	for (@lines, '') {
		my $row = $_;
		$line++;
		chomp $row;
		if ($is_page) {
			next if $row =~ /^['.]\\"/;
			$row =~ s/^\.(?:[BI]|[BIR][BIR]|SM)\s+// and $row =~ s/(?<!\\)"//g || 1;
			$row =~ s/^\.(TP|TQ|PP|SH|SS|IP|EX|EE|nf|fi|br|RS|RE|TH|TS|TE|P|LP).*//;
			$row =~ s/\\f(?:[A-Z]|\([A-Z]{2}|\[[A-Z]*\])//g;
			$row =~ s/\\(?:-|\&|\|)/$& eq '\\-' ? '-' : ''/ge;
			$row =~ s/\\\(dq/"/g;
			$row =~ s/\\~/ /g;
			$row =~ s/\\e/\\/g;
		}
		if ($row =~ /^\s*$/ || !$is_page && $row =~ /^(?:[*|] |\s*- |message: |#)/) {
			say_text($file, $start, $joined) if $joined ne '';
			($joined, $start) = ('', 0);
		}
		$start ||= $line;
		$joined .= " $row";
	}
	say_text($file, $start, $joined) if $joined ne '';
}

for my $file (@ARGV) {
	open my $in, '<', $file or die "$file: $!\n";
	my @lines = <$in>;
	if ($file =~ /\.(?:c|h|def|y|l|stp|stpm|js)$/) {
		my $text = join '', @lines;
		$text =~ s/ -- ([^\n]+)/ "$1"/g if $file =~ /(?:calls|hooks)\.def$/;
		c_text($file, $text, $file =~ /\.stpm?$/);
	} elsif ($file =~ /\.[1-9](?:stap)?$/) {
		paragraphs($file, 1, @lines);
	} elsif ($file =~ /(?:\.(?:md|txt)|NEWS|control)$/) {
		paragraphs($file, 0, @lines);
	} else {
		my $line = 0;
		for (@lines) {
			$line++;
			next if /^\s*#/;
			chomp(my $row = $_);
			say_text($file, $line, $row);
		}
	}
	close $in;
}
