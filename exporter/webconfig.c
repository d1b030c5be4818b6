/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exporter/webconfig.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <yaml.h>

#include "exporter/text.h"
#include "lib/trust.h"

struct reading {
	const char *path;
	yaml_document_t doc;
	struct webconfig *config;
	const char *min_version, *max_version;
	uint64_t seen[WEBCONFIG_FILES]; /* states of the files before they were read */
	bool failed;
};

static bool wrong(struct reading *r, const yaml_node_t *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Reports the first error only. Returns false. */
static bool wrong(struct reading *r, const yaml_node_t *at, const char *fmt, ...)
{
	va_list args;

	if (r->failed)
		return false;
	r->failed = true;
	fprintf(stderr, "stap-exporter: %s:%zu: ", r->path, at ? at->start_mark.line + 1 : 1);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	return false;
}

static const char *text_of(struct reading *r, const yaml_node_t *n)
{
	if (n->type == YAML_SCALAR_NODE)
		return (const char *)n->data.scalar.value;
	wrong(r, n, "a text was expected here");
	return "";
}

/* A key, and the function that takes its value. */
struct key {
	const char *name;
	void (*take)(struct reading *r, const yaml_node_t *value);
};

static void take_keys(struct reading *r, const yaml_node_t *n, const struct key *keys)
{
	if (n->type != YAML_MAPPING_NODE) {
		wrong(r, n, "'NAME: VALUE' lines were expected here");
		return;
	}
	for (yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top;
	     p++) {
		const yaml_node_t *key = yaml_document_get_node(&r->doc, p->key);
		const char *name = text_of(r, key);
		const struct key *k = keys;

		while (k->name && strcmp(k->name, name))
			k++;
		if (!k->name)
			wrong(r, key, "'%s' is not supported here", name);
		else
			k->take(r, yaml_document_get_node(&r->doc, p->value));
	}
}

/* ---- states of files ---- */

static uint64_t fold(const uint64_t *numbers, size_t n)
{
	uint64_t ret = 1;

	for (size_t i = 0; i < n; i++)
		ret = ret * 31 + numbers[i];
	return ret;
}

static uint64_t state_of(const struct stat *st)
{
	const uint64_t parts[] = { (uint64_t)st->st_mtim.tv_sec, (uint64_t)st->st_mtim.tv_nsec,
				   (uint64_t)st->st_ino, (uint64_t)st->st_size };

	return fold(parts, sizeof(parts) / sizeof(parts[0]));
}

/* Opens a file, and records its state before reading it. */
static FILE *open_file(struct reading *r, const char *path, enum webconfig_file which)
{
	FILE *f = fopen(path, "re");
	struct stat st;

	if (f && !fstat(fileno(f), &st))
		r->seen[which] = state_of(&st);
	return f;
}

/* ---- TLS ---- */

/* Returns a file's contents; its name is relative to the directory of web.config. */
static char *read_beside(struct reading *r, const yaml_node_t *n, enum webconfig_file which)
{
	const char *name = text_of(r, n);
	char *copy = text_copy(r->path);
	struct text path = { 0 }, text = { 0 };
	char buf[4096];
	size_t got;
	FILE *f;

	if (*name != '/')
		text_addf(&path, "%s/", dirname(copy));
	text_adds(&path, name);
	f = open_file(r, path.s, which);
	while (f && (got = fread(buf, 1, sizeof(buf), f)) > 0)
		text_add(&text, buf, got);
	if (!f || ferror(f))
		wrong(r, n, "%s: %s", path.s, strerror(errno));
	if (f)
		fclose(f);
	free(r->config->files[which]);
	r->config->files[which] = path.s;
	free(copy);
	return text.s ? text.s : text_copy("");
}

static void take_certificate(struct reading *r, const yaml_node_t *n)
{
	r->config->certificate = read_beside(r, n, WEBCONFIG_CERTIFICATE);
}

static void take_key(struct reading *r, const yaml_node_t *n)
{
	r->config->key = read_beside(r, n, WEBCONFIG_KEY);
}

static void take_client_auth(struct reading *r, const yaml_node_t *n)
{
	const char *type = text_of(r, n);

	if (*type && strcmp(type, "NoClientCert"))
		wrong(r, n,
		      "client_auth_type '%s' is not supported, only NoClientCert; "
		      "basic_auth_users lists those who may read",
		      type);
}

static void take_min_version(struct reading *r, const yaml_node_t *n)
{
	r->min_version = text_of(r, n);
}

static void take_max_version(struct reading *r, const yaml_node_t *n)
{
	r->max_version = text_of(r, n);
}

static void choose_versions(struct reading *r)
{
	const char *min = r->min_version ? r->min_version : "TLS12";
	const char *max = r->max_version ? r->max_version : "TLS13";
	bool from12 = !strcmp(min, "TLS12"), to12 = !strcmp(max, "TLS12");
	struct text t = { 0 };

	if ((!from12 && strcmp(min, "TLS13")) || (!to12 && strcmp(max, "TLS13")))
		wrong(r, NULL,
		      "min_version and max_version are TLS12 or TLS13 here, not '%s' and "
		      "'%s'",
		      min, max);
	else if (!from12 && to12)
		wrong(r, NULL, "min_version is above max_version");
	text_addf(&t, "NORMAL:-VERS-ALL%s%s", to12 ? "" : ":+VERS-TLS1.3",
		  from12 ? ":+VERS-TLS1.2" : "");
	r->config->priorities = t.s;
}

static void take_tls(struct reading *r, const yaml_node_t *n)
{
	static const struct key keys[] = {
		{ "cert_file", take_certificate },	  { "key_file", take_key },
		{ "client_auth_type", take_client_auth }, { "min_version", take_min_version },
		{ "max_version", take_max_version },	  { NULL, NULL },
	};

	take_keys(r, n, keys);
	if (!r->config->certificate != !r->config->key ||
	    (!r->config->certificate && n->data.mapping.pairs.top > n->data.mapping.pairs.start))
		wrong(r, n, "tls_server_config needs cert_file and key_file");
	choose_versions(r);
}

/* ---- users ---- */

static bool is_bcrypt(const char *hash)
{
	return strlen(hash) == 60 && !strncmp(hash, "$2", 2) && strchr("aby", hash[2]) &&
	       hash[3] == '$' && hash[6] == '$';
}

static void take_users(struct reading *r, const yaml_node_t *n)
{
	struct webconfig *c = r->config;

	if (n->type != YAML_MAPPING_NODE) {
		wrong(r, n, "basic_auth_users has 'NAME: HASH' lines");
		return;
	}
	c->users =
		text_memory((size_t)(n->data.mapping.pairs.top - n->data.mapping.pairs.start + 1) *
			    sizeof(*c->users));
	for (yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top;
	     p++) {
		const yaml_node_t *name = yaml_document_get_node(&r->doc, p->key);
		const yaml_node_t *hash = yaml_document_get_node(&r->doc, p->value);

		if (!is_bcrypt(text_of(r, hash)))
			wrong(r, hash,
			      "the password of '%s' is not a bcrypt hash; "
			      "htpasswd -nB %s makes one",
			      text_of(r, name), text_of(r, name));
		c->users[c->nusers++] = (struct webuser){ text_copy(text_of(r, name)),
							  text_copy(text_of(r, hash)) };
	}
	if (!c->nusers)
		wrong(r, n, "basic_auth_users has no users");
}

/* Refuses a file that others may write, because it decides who may read. */
static bool is_trusted(const char *path)
{
	char real[PATH_MAX];
	enum trust_fault fault = trust_check_path(path, trust_user(), real);

	if (fault && fault != TRUST_ABSENT)
		fprintf(stderr,
			"stap-exporter: %s %s, who could change who may read; %s fixes that\n",
			real, trust_reason(fault), trust_remedy(fault));
	return !fault || fault == TRUST_ABSENT; /* opening it reports the error */
}

bool webconfig_read(const char *path, struct webconfig *ret)
{
	static const struct key keys[] = { { "tls_server_config", take_tls },
					   { "basic_auth_users", take_users },
					   { NULL, NULL } };
	struct reading r = { .path = path, .config = ret };
	yaml_parser_t parser;
	yaml_node_t *root;
	FILE *f;

	*ret = (struct webconfig){ .files[WEBCONFIG_ITSELF] = text_copy(path) };
	if (!is_trusted(path))
		return false;
	f = open_file(&r, path, WEBCONFIG_ITSELF);
	if (!f) {
		fprintf(stderr, "stap-exporter: %s: %s\n", path, strerror(errno));
		return false;
	}
	if (!yaml_parser_initialize(&parser))
		abort();
	yaml_parser_set_input_file(&parser, f);
	if (!yaml_parser_load(&parser, &r.doc)) {
		fprintf(stderr, "stap-exporter: %s:%zu: %s\n", path, parser.problem_mark.line + 1,
			parser.problem ? parser.problem : "no YAML");
		r.failed = true;
	} else {
		root = yaml_document_get_root_node(&r.doc);
		if (root)
			take_keys(&r, root, keys);
		yaml_document_delete(&r.doc);
	}
	yaml_parser_delete(&parser);
	fclose(f);
	ret->stamp = fold(r.seen, WEBCONFIG_FILES);
	return !r.failed;
}

uint64_t webconfig_stamp(const struct webconfig *c)
{
	uint64_t states[WEBCONFIG_FILES] = { 0 };
	struct stat st;

	for (size_t i = 0; i < WEBCONFIG_FILES; i++)
		if (c->files[i] && !stat(c->files[i], &st))
			states[i] = state_of(&st);
	return fold(states, WEBCONFIG_FILES);
}

void webconfig_free(struct webconfig *c)
{
	for (size_t i = 0; i < c->nusers; i++) {
		free(c->users[i].name);
		free(c->users[i].hash);
	}
	for (size_t i = 0; i < WEBCONFIG_FILES; i++)
		free(c->files[i]);
	free(c->users);
	free(c->certificate);
	free(c->key);
	free(c->priorities);
}
