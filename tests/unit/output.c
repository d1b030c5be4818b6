/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/output.c and the files it writes: names with conversions, rotation by size and
 * by time, the files that are kept and compressed, and files that cannot be renamed,
 * made, or written. The records are random; each carries its number and its length.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "unit.h"

static time_t clock_now;
#define time(unused) clock_now

#include "trace/compress.c"
#include "lib/filename.c"
#include "trace/messages.c"
#include "trace/output.c"
#include "trace/series.c"
#include "stapio/signals.c"
#include "lib/outfile.c"
#include "lib/trust.c"

static char dir[64] = "/tmp/stapio-output-XXXXXX";

/* ---- names ---- */

static const char *expanded(const char *pattern)
{
	static char ret[PATH_MAX];
	struct filename f = { .pattern = pattern, .module = "my%s", .host = "h1", .cpu = 3 };

	return filename_expand(&f, 86400 * 365, ret) ? "too long" : ret;
}

static void names(void)
{
	static char longest[PATH_MAX / 2 + 1];

	CHECK_TEXT(expanded("plain"), "plain");
	CHECK_TEXT(expanded("%h-%m.%c"), "h1-my%s.3");
	CHECK_TEXT(expanded("%Y-%Om-%d_%%h"), "1971-01-01_%h");
	CHECK_TEXT(expanded("%F/%H%M%S"), "1971-01-01/000000");
	CHECK_TEXT(expanded(""), "");
	CHECK(!filename_check("a%F%h%m%%", false));
	CHECK(!filename_check("a%c", true));
	CHECK(filename_check("a%c", false) != NULL);
	CHECK(!filename_check("a%Ec", false));
	CHECK(filename_check("100%", false) != NULL);
	CHECK(filename_check("100%-", false) != NULL);
	CHECK(filename_check("%q", false) != NULL);
	memset(longest, 'x', PATH_MAX / 2);
	CHECK(filename_check(longest, false) != NULL);
	CHECK(filename_looks_like_date("log-%Y%m%d"));
	CHECK(!filename_looks_like_date("log-%Y%Om%d"));
	CHECK(!filename_looks_like_date("%m-%F"));
}

static void check_rotation(const char *text, uint64_t bytes, uint64_t seconds, unsigned count)
{
	struct rotation r = { 0 };

	CHECK(!series_parse_rotation(text, &r));
	CHECK_LONG((long long)r.bytes, (long long)bytes);
	CHECK_LONG((long long)r.seconds, (long long)seconds);
	CHECK_LONG(r.count, count);
}

static void rotations(void)
{
	static const char *const wrong[] = { "",   "x",	 "0",	  "1,",	      "1,0",
					     ",1", "1X", "1MM",	  "-1",	      "1.5",
					     "1k", "1K", "4000d", "1,200000", "1M 2" };
	struct rotation r;

	check_rotation("1", 1 << 20, 0, 0);
	check_rotation("100M,10", 100u << 20, 0, 10);
	check_rotation("4K", 4096, 0, 0);
	check_rotation("1h,24", 0, 3600, 24);
	check_rotation("90m", 0, 5400, 0);
	check_rotation("2G,1d,7", 2ull << 30, 86400, 7);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (!series_parse_rotation(wrong[i], &r))
			CHECK_TEXT(wrong[i], "refused");
}

/* ---- files ---- */

static struct output out;
static unsigned next_record, next_checked;

static void start(const char *name, const struct rotation *r)
{
	static char pattern[PATH_MAX];
	struct filename f = { .pattern = pattern, .module = "m", .host = "h", .cpu = -1 };

	snprintf(pattern, sizeof(pattern), "%s/%s", dir, name);
	CHECK_LONG(series_output(&out, &f, r), 0);
	next_record = next_checked = 0;
}

/* "[N len xxxx]\n" */
static void put_record(size_t len, bool in_pieces)
{
	char *text = malloc(len + 64);
	int n = sprintf(text, "[%u %zu ", next_record++, len);

	memset(text + n, 'x', len);
	memcpy(text + n + len, "]\n", 2);
	for (size_t at = 0, all = (size_t)n + len + 2; at < all;) {
		size_t piece = in_pieces && all - at > 1000 ? 1000 : all - at;

		output_put(&out, text + at, piece);
		at += piece;
		if (in_pieces && unit_random() % 50 == 0)
			output_flush(&out);
	}
	output_record_end(&out);
	free(text);
}

/*
 * Checks that the file has whole records that continue the file before. Returns the
 * file's size, -1: there is no file.
 */
static long check_file(const char *name)
{
	char path[PATH_MAX];
	unsigned number;
	size_t len;
	FILE *f;
	long size;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "r");
	if (!f)
		return -1;
	while (fscanf(f, "[%u %zu ", &number, &len) == 2) {
		CHECK_LONG(number, next_checked);
		next_checked = number + 1;
		for (size_t i = 0; i < len; i++)
			if (fgetc(f) != 'x')
				CHECK(!"a record is cut short");
		CHECK(fgetc(f) == ']' && fgetc(f) == '\n');
	}
	CHECK(feof(f));
	size = ftell(f);
	fclose(f);
	unlink(path);
	return size;
}

static void finish(void)
{
	CHECK(output_close(&out));
	CHECK_LONG((long long)(out.written + out.lost), next_record);
}

static void one_file(void)
{
	start("one", &(struct rotation){ 0 });
	for (int i = 0; i < 5000; i++)
		put_record(unit_random() % 300, unit_random() % 2);
	output_record_end(&out); /* a hit that prints nothing */
	put_record(1 << 20, true);
	next_record++;
	finish();
	CHECK(check_file("one") > 1 << 20);
	CHECK_LONG(next_checked, 5001);
}

static void by_size(void)
{
	char name[32];
	unsigned files = 0;
	long size;

	start("size", &(struct rotation){ .bytes = 8192 });
	for (int i = 0; i < 3000; i++) {
		put_record(unit_random() % 300, unit_random() % 2);
		if (unit_random() % 100 == 0)
			output_flush(&out);
	}
	finish();
	do {
		snprintf(name, sizeof(name), "size.%u", ++files);
		size = check_file(name);
		CHECK(size <= 8192);
		CHECK(size < 0 || size > 8192 - 320 - 64);
	} while (size >= 0);
	CHECK(files > 40);
	CHECK(check_file("size") > 0);
	CHECK_LONG(next_checked, 3000);
}

/* Records larger than a file, and than the buffer: each in one file. */
static void large_records(void)
{
	start("large", &(struct rotation){ .bytes = 4096 });
	put_record(10000, true);
	put_record(10, false);
	put_record(3 * OUTPUT_BUFFER, true);
	put_record(OUTPUT_BUFFER + 1, false);
	put_record(10, false);
	finish();
	CHECK(check_file("large.1") > 10000);
	CHECK(check_file("large.2") < 4096);
	CHECK(check_file("large.3") > 3 * OUTPUT_BUFFER);
	CHECK(check_file("large.4") > OUTPUT_BUFFER);
	CHECK(check_file("large") > 0);
	CHECK_LONG(next_checked, 5);
}

static void kept(void)
{
	start("kept", &(struct rotation){ .bytes = 4096, .count = 3 });
	for (int i = 0; i < 10; i++)
		put_record(3000, false);
	finish();
	CHECK(check_file("kept.7") < 0);
	next_checked = 7;
	CHECK(check_file("kept.8") > 0);
	CHECK(check_file("kept.9") > 0);
	CHECK(check_file("kept") > 0);
	CHECK_LONG(next_checked, 10);
}

static void numbers_go_on(void)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/on.41.zst", dir);
	fclose(fopen(path, "w"));
	start("on", &(struct rotation){ 0 });
	put_record(1, false);
	output_next_file(&out);
	output_next_file(&out); /* empty: nothing to do */
	put_record(1, false);
	finish();
	unlink(path);
	CHECK(check_file("on.42") > 0);
	CHECK(check_file("on") > 0);
	CHECK(check_file("on.43") < 0);
}

static void by_time(void)
{
	clock_now = 86400 * 365 + 3599;
	start("t-%H", &(struct rotation){ .seconds = 3600 });
	put_record(1, false);
	output_look_at_clock(&out);
	put_record(1, false);
	clock_now++;
	output_put(&out, "[2 0 ", 5); /* in the middle of a record */
	output_look_at_clock(&out);
	output_put(&out, "]\n", 2);
	output_record_end(&out);
	next_record++;
	clock_now += 3600; /* nothing came: an empty file does not stay */
	output_look_at_clock(&out);
	put_record(1, false);
	clock_now += 10 * 3600;
	output_look_at_clock(&out);
	output_look_at_clock(&out);
	finish();
	CHECK(check_file("t-00") > 0);
	CHECK_LONG(next_checked, 3);
	CHECK(check_file("t-01") < 0);
	CHECK(check_file("t-02") > 0);
	CHECK_LONG(check_file("t-12"), 0);
	CHECK_LONG(next_checked, 4);
}

static void same_time_name(void)
{
	clock_now = 86400 * 365;
	start("day-%F", &(struct rotation){ .seconds = 3600, .bytes = 4096, .count = 2 });
	for (int i = 0; i < 5; i++) {
		put_record(3000, false);
		clock_now += 3600;
		output_look_at_clock(&out);
	}
	finish();
	next_checked = 4;
	CHECK(check_file("day-1971-01-01.5") > 0);
	CHECK_LONG(check_file("day-1971-01-01"), 0);
	CHECK(check_file("day-1971-01-01.4") < 0);
}

static void compressed(void)
{
	char command[PATH_MAX + 64];

	start("z", &(struct rotation){ .bytes = 300000, .count = 4, .compress = true });
	for (int i = 0; i < 50; i++)
		put_record(100000, false);
	finish();
	CHECK(check_file("z.22") < 0);
	snprintf(command, sizeof(command),
		 "cd %s && [ $(ls | wc -l) = 4 ] && unzstd -q --rm z.*.zst", dir);
	CHECK_LONG(system(command), 0);
	next_checked = 42;
	for (int i = 22; i <= 24; i++) {
		snprintf(command, sizeof(command), "z.%d", i);
		CHECK(check_file(command) > 200000);
	}
	CHECK(check_file("z") > 0);
	CHECK_LONG(next_checked, 50);
}

/* FILE.1 is another's: it stays, and the number after it is taken. */
static void number_is_taken(void)
{
	char path[PATH_MAX];
	FILE *f;

	start("r", &(struct rotation){ .bytes = 4096 });
	snprintf(path, sizeof(path), "%s/r.1", dir);
	f = fopen(path, "w");
	fputs("mine", f);
	fclose(f);
	put_record(3000, false);
	put_record(3000, false);
	finish();
	CHECK(check_file("r.2") > 3000);
	CHECK(check_file("r") > 0);
	CHECK_LONG(next_checked, 2);
	f = fopen(path, "r");
	CHECK(f && fgetc(f) == 'm');
	fclose(f);
	unlink(path);
}

/* There is no FILE.1 where FILE is as long as a name can be: output goes on in FILE. */
static void rename_fails(void)
{
	char name[NAME_MAX + 1];

	memset(name, 'r', NAME_MAX);
	name[NAME_MAX] = 0;
	start(name, &(struct rotation){ .bytes = 4096 });
	message_setup(0, true);
	for (int i = 0; i < 5; i++)
		put_record(3000, false);
	message_setup(0, false);
	finish();
	CHECK(check_file(name) > 5 * 3000);
	CHECK_LONG(next_checked, 5);
}

/* Does the same as finish(), for an output with complaints; they are not shown. */
static void finish_wrong(void)
{
	int out_here = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);

	dup2(null, STDERR_FILENO);
	CHECK(!output_close(&out));
	dup2(out_here, STDERR_FILENO);
	close(out_here);
	close(null);
}

/*
 * FILE is moved away: it is whole there. The next one is removed, with the directory:
 * that is reported, and the run ends.
 */
static void taken_away(void)
{
	char path[PATH_MAX], other[PATH_MAX], name[PATH_MAX];

	snprintf(path, sizeof(path), "%s/sub", dir);
	mkdir(path, 0700);
	start("sub/file", &(struct rotation){ .bytes = 4096 });
	put_record(3000, false);
	output_flush(&out);
	snprintf(name, sizeof(name), "%s/sub/file", dir);
	snprintf(other, sizeof(other), "%s/mine", dir);
	CHECK(!rename(name, other));
	put_record(3000, false);
	output_flush(&out);
	CHECK(!out.error);
	CHECK(!unlink(name));
	CHECK(!rmdir(path));
	message_setup(0, true);
	put_record(3000, false);
	message_setup(0, false);
	CHECK_LONG(out.error, ENOENT);
	finish_wrong();
	CHECK(check_file("mine") > 0);
}

/* The file is removed when no switch is due: it is noticed at the end. */
static void removed(void)
{
	char path[PATH_MAX];

	start("gone", &(struct rotation){ 0 });
	put_record(10, false);
	snprintf(path, sizeof(path), "%s/gone", dir);
	CHECK(!unlink(path));
	finish_wrong();
	CHECK(out.damaged);
}

/* ---- owners of files ---- */

#define SOMEBODY 12345

/* Returns the complaint about opening a file; "": it is opened, and empty. */
static const char *opened(const char *name)
{
	static struct outfile f;
	char path[PATH_MAX];
	struct stat st;
	int rc;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	rc = outfile_open(&f, path, 0666);
	if (rc)
		return outfile_error(&f, rc);
	CHECK(!fstat(f.fd, &st) && !st.st_size);
	close(f.fd);
	close(f.dir);
	return "";
}

static void make(const char *name, const char *link_to, mode_t mode, uid_t owner)
{
	char path[PATH_MAX];
	int fd = -1;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (link_to) {
		CHECK(!symlink(link_to, path));
	} else if (S_ISDIR(mode)) {
		CHECK(!mkdir(path, 0700) && !chmod(path, mode & 07777));
	} else {
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL, mode);
		CHECK(fd >= 0 && write(fd, "text", 4) == 4);
		close(fd);
	}
	CHECK(!owner || !lchown(path, owner, owner));
}

static bool is_untouched(const char *name)
{
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return !stat(path, &st) && st.st_size == 4;
}

static void others_links(void)
{
	char command[PATH_MAX];

	if (geteuid())
		return;
	make("own", NULL, S_IFDIR | 0755, 0);
	make("shared", NULL, S_IFDIR | 01777, 0);
	make("theirs", NULL, S_IFDIR | 0755, SOMEBODY);
	make("own/victim", NULL, 0600, 0);
	/* lchown by us: nobody else can make one there. */
	make("own/theirs", "victim", 0, SOMEBODY);
	make("shared/theirs", "../own/victim", 0, SOMEBODY);
	make("shared/ours", "../own/victim", 0, 0);
	make("shared/dir", "../own", 0, SOMEBODY);
	make("shared/new", "../own/made", 0, SOMEBODY);
	make("theirs/link", "../own/victim", 0, SOMEBODY);
	make("theirs/loop", "loop", 0, 0);
	CHECK(strstr(
		opened("shared/theirs"),
		"the link 'theirs' is user 12345's, in a directory where others can make links"));
	CHECK(strstr(opened("shared/dir/victim"), "the link 'dir' is user 12345's"));
	CHECK(strstr(opened("shared/new"), "the link 'new' is user 12345's"));
	CHECK(strstr(opened("theirs/link"), "the link 'link' is user 12345's"));
	CHECK(is_untouched("own/victim"));
	CHECK_TEXT(opened("theirs/loop"), strerror(ELOOP));
	CHECK_TEXT(opened("shared/ours"), "");
	CHECK_TEXT(opened("own/theirs"), "");
	CHECK_TEXT(opened("own/../shared/./first"), "");
	CHECK_TEXT(opened("own/"), strerror(EISDIR));
	CHECK_TEXT(opened("own/none/file"), strerror(ENOENT));
	CHECK_TEXT(opened("own/victim/file"), strerror(ENOTDIR));
	snprintf(command, sizeof(command), "cd %s && [ ! -e own/made ] && rm -r own shared theirs",
		 dir);
	CHECK_LONG(system(command), 0);
}

static void others_files(void)
{
	char command[PATH_MAX], from[PATH_MAX], to[PATH_MAX];

	if (geteuid())
		return;
	make("own", NULL, S_IFDIR | 0755, 0);
	make("shared", NULL, S_IFDIR | 01777, 0);
	make("theirs", NULL, S_IFDIR | 0755, SOMEBODY);
	make("own/theirs", NULL, 0600, SOMEBODY);
	make("shared/theirs", NULL, 0666, SOMEBODY);
	make("shared/ours", NULL, 0666, 0);
	make("theirs/theirs", NULL, 0666, SOMEBODY);
	make("theirs/ours", NULL, 0666, 0);
	make("own/victim", NULL, 0600, 0);
	snprintf(from, sizeof(from), "%s/own/victim", dir);
	snprintf(to, sizeof(to), "%s/theirs/second", dir);
	CHECK(!link(from, to));
	CHECK(strstr(opened("theirs/second"),
		     "it has 2 names (hard links), and others could have made them"));
	CHECK(is_untouched("own/victim"));
	CHECK(strstr(opened("shared/theirs"),
		     "it is user 12345's, in a directory where everybody can make files"));
	CHECK(is_untouched("shared/theirs"));
	CHECK_TEXT(opened("own/theirs"), "");
	CHECK_TEXT(opened("shared/ours"), "");
	CHECK_TEXT(opened("theirs/theirs"), "");
	CHECK_TEXT(opened("theirs/ours"), "");
	CHECK_TEXT(opened("own/victim"), "");
	snprintf(command, sizeof(command), "rm -r %s/own %s/shared %s/theirs", dir, dir, dir);
	CHECK_LONG(system(command), 0);
}

/*
 * Names that belong to somebody else by the time of the switch, and obstacles in the way
 * of --compress.
 */
static void others_in_between(void)
{
	char command[PATH_MAX];

	make("victim", NULL, 0600, 0);
	start("z", &(struct rotation){ .bytes = 4096, .compress = true });
	make("z.1.zst.part", "victim", 0, 0);
	put_record(3000, false);
	put_record(3000, false);
	finish();
	CHECK(is_untouched("victim"));
	next_checked = 1;
	CHECK(check_file("z") > 0);
	snprintf(command, sizeof(command),
		 "cd %s && [ ! -e z.1.zst.part ] && rm victim z.1.zst && [ -z \"$(ls)\" ]", dir);
	CHECK_LONG(system(command), 0);
}

/*
 * One file has one writer, whom the message names; it is free again when the writer has
 * ended.
 */
static void two_writers(void)
{
	char path[PATH_MAX], name[64];
	struct outfile f;
	int rc;

	start("lock", &(struct rotation){ .bytes = 4096 });
	put_record(3000, false);
	put_record(3000, false);
	snprintf(path, sizeof(path), "%s/lock", dir);
	rc = outfile_open(&f, path, 0666);
	CHECK_LONG(rc, -EBUSY);
	snprintf(name, sizeof(name), "(process %d)", (int)getpid());
	CHECK(strstr(outfile_error(&f, rc), "it is being written by another run"));
	CHECK(strstr(outfile_error(&f, rc), name));
	finish();
	CHECK(check_file("lock.1") > 0);
	CHECK(check_file("lock") > 0);
	CHECK_LONG(next_checked, 2);
}

/* The descriptor's own name in /proc, also where that is a file. */
static void by_descriptor(void)
{
	char path[PATH_MAX], link[64];
	struct outfile f;
	int fd;

	snprintf(path, sizeof(path), "%s/file", dir);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	snprintf(link, sizeof(link), "/dev/fd/%d", fd);
	CHECK_LONG(outfile_open(&f, link, 0666), 0);
	CHECK(write(f.fd, "text", 4) == 4);
	CHECK(is_untouched("file"));
	close(f.fd);
	close(f.dir);
	close(fd);
	unlink(path);
	CHECK_LONG(outfile_open(&f, "/dev/null", 0666), 0);
	close(f.fd);
	close(f.dir);
}

/* Output that does not fit is counted to the record. */
static void full_disk(void)
{
	static const struct rlimit most = { 20000, 20000 };
	pid_t pid = fork();
	int status;

	if (!pid) {
		start("full", &(struct rotation){ 0 });
		setrlimit(RLIMIT_FSIZE, &most);
		signal(SIGXFSZ, SIG_IGN);
		for (int i = 0; i < 10; i++)
			put_record(3000, false);
		close(STDERR_FILENO);
		CHECK(!output_close(&out));
		CHECK_LONG((long long)out.written, 6);
		CHECK_LONG((long long)out.lost, 4);
		_exit(unit_failures != 0);
	}
	CHECK_LONG(waitpid(pid, &status, 0), pid);
	CHECK_LONG(status, 0);
	next_checked = 0;
	CHECK(check_file("full") > 18000);
	CHECK_LONG(next_checked, 6);
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	if (!mkdtemp(dir))
		return 1;
	RUN(names);
	RUN(rotations);
	RUN(one_file);
	RUN(by_size);
	RUN(large_records);
	RUN(kept);
	RUN(numbers_go_on);
	RUN(by_time);
	RUN(same_time_name);
	RUN(compressed);
	RUN(number_is_taken);
	RUN(rename_fails);
	RUN(taken_away);
	RUN(removed);
	RUN(others_links);
	RUN(others_files);
	RUN(others_in_between);
	RUN(two_writers);
	RUN(by_descriptor);
	RUN(full_disk);
	if (rmdir(dir)) {
		printf("left behind in %s\n", dir);
		unit_failed++;
	}
	return unit_end();
}
