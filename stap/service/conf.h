/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NAME.conf of a service: NAME=VALUE lines become words of a command line. No shell is
 * involved and no variables are expanded: words are separated by blanks, or enclosed in
 * quotes. conf.def has the names.
 */
#ifndef STAP_SERVICE_CONF_H
#define STAP_SERVICE_CONF_H

#include "lib/vec.h"

struct arena;
struct error;
struct session;

struct conf_word {
	const char *text;
	unsigned line;
};
typedef VEC(struct conf_word) conf_words;

struct conf {
	const char *path;
	conf_words options;   /* of stap, in order of the file */
	conf_words arguments; /* of the script */
};

/* Parses the text of the file `path`. Errors are "PATH:LINE: text". */
struct error *conf_parse(struct session *s, const char *path, const char *text, size_t len,
			 struct conf *ret);

#endif
