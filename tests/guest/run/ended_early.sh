# skip: no_program perl
# SIGINT, SIGTERM and SIGHUP in the first moments of a run, to staprun alone and to its group: it ends cleanly. Either
# the script has not begun and nothing is written, or its end probe has also run; status 1 or 0, or the signal's own
# before staprun could take it; no module, file or process is left. 28 points of a run's beginning; 280 with SLOW=1.
# Then where it waits: for the reader of a FIFO, also in the background (-D) and under nohup. The command of -c has no
# signal blocked. (Written in Perl, because starting a process from the shell takes a tenth of a run.)
set -eu
cd "$(mktemp -d)"
perl - <<'END' || exit 1
use strict; use POSIX qw(:sys_wait_h setpgid);
my ($m, $module, $n, %seen, $where) = ('t_early_signals', "$ENV{MODULES}/t_early_signals.ko", 28 * $ENV{TIMES});

# Time::HiRes is not where only what every Debian has is installed: clock_gettime(CLOCK_MONOTONIC).
sub now { my $t = "\0" x 16; syscall 228, 1, $t; my ($s, $ns) = unpack 'q2', $t; $s + $ns / 1e9 }
sub pause { select undef, undef, undef, $_[0] }
sub text { open my $f, '<', $_[0] or return ''; local $/; my $t = <$f> // ''; $t =~ tr/\n/ /; $t }
sub fail { print "$where: @_\n", text('err'), "\n"; system 'pkill -KILL stap'; exit 1 }
sub until_or { my ($what, $true) = @_; for (1 .. 1000) { return if $true->(); pause(0.01) } fail("waited for: $what") }

sub start {
	my $pid = fork // die;
	return $pid if $pid;
	setpgid 0, 0;
	$SIG{INT} = $SIG{QUIT} = 'DEFAULT';
	open STDERR, '>', 'err';
	exec 'staprun', @_, $module;
}

# The exit status as a shell says it.
sub status_of {
	my ($pid) = @_;
	until_or('the end', sub { waitpid($pid, WNOHANG) == $pid });
	my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
	until_or('the removal', sub { !-e "/sys/module/$m" && !-e "/proc/stap-$m" });
	return $status;
}

sub judge {
	my ($status) = @_;
	my ($out, $err) = (text('out'), text('err'));
	my %in_order = ('0 begun ended ' => 'in order', '1 ' => 'before the start',
		'129 ' => 'at once', '130 ' => 'at once', '143 ' => 'at once');
	my $how = $in_order{"$status $out"} or fail("status $status, output '$out'");
	fail("status 1, and why?") if $status == 1 && $err !~ /interrupted before the start|Interrupted system call/;
	fail("killed") if $err =~ /was killed/;
	$seen{$how}++;
}

$where = 'not interrupted';
my $begun = now();
my $pid = start('-o', 'out');
until_or('output', sub { -s 'out' });
my $taken = now() - $begun;
kill 'TERM', $pid;
judge(status_of($pid));

for my $i (0 .. $n - 1) {
	my ($signal, $whom) = ((qw(INT TERM INT HUP))[$i % 4], $i % 3);
	my $after = $taken * 1.2 * $i / $n;
	$where = sprintf 'SIG%s after %d ms, to the %s', $signal, 1000 * $after, $whom ? 'process' : 'group';
	unlink 'out';
	my $pid = start('-o', 'out');
	setpgid $pid, $pid;
	pause($after);
	kill $signal, $whom ? $pid : -$pid;
	judge(status_of($pid));
}
printf "%d ms to the output; ended %s\n", 1000 * $taken, join ', ', map { "$_: $seen{$_}" } sort keys %seen;

# Nobody reads.
system 'mkfifo', 'fifo';
unlink 'out';
for my $how ('', '-D', 'nohup') {
	$where = "a FIFO, $how";
	local $SIG{HUP} = $how eq 'nohup' ? 'IGNORE' : 'DEFAULT';
	my $pid = start('-o', 'fifo', $how eq '-D' ? '-D' : ());
	until_or('the module', sub { -e "/proc/stap-$m/ctl" });
	pause(0.3);
	if ($how eq 'nohup') {
		kill 'HUP', $pid;
		pause(0.3);
		fail('ended by SIGHUP') if waitpid($pid, WNOHANG);
	}
	kill 'INT', $how eq 'nohup' ? -$pid : $pid;
	# Messages of the background are in the system's log.
	my $status = status_of($pid);
	$how eq '-D' ? $status == 1 || fail("status $status") : judge($status);
}

$where = '-c';
my $blocked = '';
open my $old, '>&', \*STDOUT;
open STDOUT, '>', 'blocked';
$pid = start('-o', 'out', '-c', 'grep Sig[BI] /proc/self/status');
open STDOUT, '>&', $old;
judge(status_of($pid));
text('blocked') =~ /^SigBlk:\s0+ SigIgn:\s0+ $/ or fail(text('blocked'));
END
! pgrep 'staprun|stapio' || { echo 'processes are left'; exit 1; }
