/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See remedy.h. The distribution comes from os-release(5). */
#include "base/remedy.h"

#include <ctype.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/path.h"
#include "lib/strbuf.h"

enum distribution { DEBIAN, UBUNTU, FEDORA, SUSE, ARCH, DISTRIBUTIONS };

#define AS_DEBIAN NULL

static const struct row {
	const char *id;
	const char *packages[DISTRIBUTIONS];
} rows[REMEDY_COUNT] = {
#define REMEDY(id, debian, ubuntu, fedora, suse, arch)                                             \
	{ #id, { debian, ubuntu, fedora, suse, arch } },
#include "base/remedy.def"
#undef REMEDY
};

static const char *const commands[DISTRIBUTIONS] = {
	[DEBIAN] = "apt-get install", [UBUNTU] = "apt-get install", [FEDORA] = "dnf install",
	[SUSE] = "zypper install",    [ARCH] = "pacman -S",
};

/* The names in stap-fetch-kernel; NULL: it does not know the distribution. */
static const char *const managers[DISTRIBUTIONS] = {
	[DEBIAN] = "apt",
	[UBUNTU] = "apt",
	[FEDORA] = "dnf",
	[SUSE] = "zypper",
};

/* Words of ID and ID_LIKE. */
static const struct word {
	const char *name;
	enum distribution is;
} words[] = {
	{ "debian", DEBIAN }, { "ubuntu", UBUNTU },  { "fedora", FEDORA },
	{ "rhel", FEDORA },   { "centos", FEDORA },  { "suse", SUSE },
	{ "sles", SUSE },     { "opensuse", SUSE },  { "opensuse-leap", SUSE },
	{ "arch", ARCH },     { "archlinux", ARCH },
};

/* Finds the value of "KEY=value" or KEY="a b c"; len may become 0. */
static const char *value_of(const char *text, const char *key, size_t *len)
{
	size_t n = strlen(key);

	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, n) || line[n] != '=')
			continue;
		line += n + 1;
		line += *line == '"';
		*len = strcspn(line, "\"\n");
		return line;
	}
	*len = 0;
	return "";
}

static bool find_word(const char *text, size_t len, enum distribution *ret)
{
	for (const char *at = text; at < text + len; at += strspn(at, " ")) {
		size_t n = strcspn(at, " \"\n");

		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
			if (strlen(words[i].name) == n && !strncmp(words[i].name, at, n)) {
				*ret = words[i].is;
				return true;
			}
		}
		at += n ? n : 1;
	}
	return false;
}

/* Unknown distributions get Debian's names, which are the best known. */
static enum distribution distribution_of(const char *os_release)
{
	static const char *const keys[] = { "ID", "ID_LIKE" };
	enum distribution ret = DEBIAN;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		size_t len;
		const char *text = value_of(os_release, keys[i], &len);

		if (find_word(text, len, &ret))
			break;
	}
	return ret;
}

/* Returns the number at the end, "14" for "MACHINE-linux-gnu-gcc-14", or "". */
static const char *number_of(const char *compiler)
{
	const char *end = compiler + strlen(compiler), *from = end;

	while (from > compiler && isdigit((unsigned char)from[-1]))
		from--;
	return from > compiler && from[-1] == '-' ? from : end;
}

/* Adds the machine from "MACHINE-linux-gnu-gcc-14"; names of packages have no "_". */
static void add_machine(struct strbuf *out, const char *compiler)
{
	for (; *compiler && *compiler != '-'; compiler++)
		strbuf_addc(out, *compiler == '_' ? '-' : *compiler);
}

/* Adds "-rt" for 6.4.0-1.fc40+rt. */
static void add_plus_flavour(struct strbuf *out, const char *release)
{
	const char *plus = strchr(release, '+');

	if (plus)
		strbuf_addf(out, "-%s", plus + 1);
}

/* Adds "azure" for 6.4.0-1-azure. */
static void add_flavour(struct strbuf *out, const char *release)
{
	const char *dash = strrchr(release, '-');

	strbuf_adds(out, dash && isalpha((unsigned char)dash[1]) ? dash + 1 : "default");
}

static void add_number(struct strbuf *out, const char *compiler)
{
	if (*number_of(compiler) || !out->len || out->s[out->len - 1] != '-')
		strbuf_adds(out, number_of(compiler));
	else /* a compiler without a number is the distribution's own */
		out->s[--out->len] = 0;
}

static void add_value(struct strbuf *out, char letter, const char *of)
{
	if (letter == 'R')
		strbuf_adds(out, of);
	else if (letter == 'B')
		strbuf_add(out, of, strcspn(of, "+"));
	else if (letter == 'P')
		add_plus_flavour(out, of);
	else if (letter == 'F')
		add_flavour(out, of);
	else if (letter == 'M')
		add_machine(out, of);
	else
		add_number(out, of);
}

static const char *fill(struct arena *a, const char *package, const char *of)
{
	struct strbuf out;

	strbuf_init(&out, a);
	for (const char *s = package; *s; s++) {
		if (*s == '%' && s[1])
			add_value(&out, *++s, of);
		else
			strbuf_addc(&out, *s);
	}
	return out.s;
}

static const char *os_release(struct arena *a)
{
	static const char *const places[] = { "/etc/os-release", "/usr/lib/os-release" };
	char *text;
	size_t len;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (!path_read(a, places[i], &text, &len))
			return text;
	return "";
}

/*
 * The distribution of this machine. It is determined once, because debuginfo may be
 * missing for thousands of modules.
 */
static enum distribution known = DISTRIBUTIONS;

static enum distribution here(struct arena *a)
{
	if (known == DISTRIBUTIONS)
		known = distribution_of(os_release(a));
	return known;
}

static const char *package_of(struct arena *a, enum distribution d, enum remedy what,
			      const char *of)
{
	const char *pattern = rows[what].packages[d];

	return fill(a, pattern ? pattern : rows[what].packages[DEBIAN], of ? of : "");
}

static const char *command_of(struct arena *a, enum distribution d, enum remedy what,
			      const char *of)
{
	const char *package = package_of(a, d, what, of);

	return *package ? arena_printf(a, "%s %s", commands[d], package) : "";
}

/* Distribution of remedy_target(); DISTRIBUTIONS: none is set. */
static enum distribution target = DISTRIBUTIONS;

void remedy_target(const char *os_release)
{
	target = os_release ? distribution_of(os_release) : DISTRIBUTIONS;
}

static bool is_elsewhere(struct arena *a)
{
	return target != DISTRIBUTIONS && target != here(a);
}

/* True: the package has the kernel's release in its name. */
static bool names_release(const char *package)
{
	return strstr(package, "%R") || strstr(package, "%B");
}

/* Returns the distribution of the package: for a kernel, that of its machine. */
static enum distribution whose(struct arena *a, enum remedy what)
{
	bool of_kernel = names_release(rows[what].packages[DEBIAN]);

	return of_kernel && is_elsewhere(a) ? target : here(a);
}

const char *remedy_package(struct arena *a, enum remedy what, const char *of)
{
	return package_of(a, whose(a, what), what, of);
}

const char *remedy_command_on(struct arena *a, const char *text, enum remedy what, const char *of)
{
	return command_of(a, distribution_of(text), what, of);
}

const char *remedy_command(struct arena *a, enum remedy what, const char *of)
{
	return command_of(a, whose(a, what), what, of);
}

const char *remedy_fetched(struct arena *a, enum remedy what, const char *release)
{
	enum distribution d = whose(a, what);
	const char *pattern = rows[what].packages[d];
	const char *package = package_of(a, d, what, release);

	if (!pattern || names_release(pattern)) /* NULL: Debian's */
		return package;
	return arena_printf(a, "%s-%s", package, release);
}

const char *remedy_fetch(struct arena *a, const char *bin_dir, enum remedy what,
			 const char *release)
{
	return managers[here(a)] && !is_elsewhere(a)
		       ? arena_printf(a, "%s/stap-fetch-kernel %s", bin_dir,
				      remedy_fetched(a, what, release))
		       : "";
}

const char *remedy_manager(struct arena *a)
{
	return is_elsewhere(a) ? managers[target] : NULL;
}

const char *remedy_elsewhere(struct arena *a, enum remedy what, const char *release)
{
	if (!is_elsewhere(a))
		return "";
	if (!managers[target])
		return arena_printf(a, "its distribution has a different command: %s",
				    remedy_command(a, what, release));
	return arena_printf(a,
			    "on a machine of its distribution, stap-fetch-kernel --into DIR %s "
			    "gets them (%s); STAP_KERNELS names a copy of DIR here",
			    remedy_fetched(a, what, release), managers[target]);
}

/* ---- by name ---- */

static char small(char c)
{
	return c == '_' ? '-' : (char)tolower((unsigned char)c);
}

static bool is_called(const struct row *row, const char *name)
{
	const char *id = row->id;

	while (*id && small(*id) == small(*name))
		id++, name++;
	return !*id && !*name;
}

/* Its packages depend on a release of the kernel or of a compiler. */
static bool needs_release(const struct row *row)
{
	return strchr(row->packages[DEBIAN], '%');
}

bool remedy_find(const char *name, enum remedy *ret)
{
	for (unsigned i = 0; i < REMEDY_COUNT; i++) {
		if (needs_release(&rows[i]) || !is_called(&rows[i], name))
			continue;
		*ret = i;
		return true;
	}
	return false;
}

const char *remedy_names(struct arena *a)
{
	struct strbuf out;

	strbuf_init(&out, a);
	for (unsigned i = 0; i < REMEDY_COUNT; i++) {
		if (needs_release(&rows[i]))
			continue;
		strbuf_adds(&out, out.len ? ", " : "");
		for (const char *c = rows[i].id; *c; c++)
			strbuf_addc(&out, small(*c));
	}
	return out.s;
}
