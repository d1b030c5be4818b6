/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/firstline.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/session.h"
#include "lib/arena.h"
#include "lib/vec.h"

static bool is_script(const char *path)
{
	FILE *f = fopen(path, "re");
	bool is = f && fgetc(f) == '#' && fgetc(f) == '!';

	if (f)
		fclose(f);
	return is;
}

char **firstline_split(struct session *s, int *argc, char **argv)
{
	VEC(char *) words = { 0 };
	char *word, *rest;

	if (*argc < 3 || argv[1][0] != '-' || !strchr(argv[1], ' ') || !is_script(argv[2]))
		return argv;
	vec_push(s->arena, &words, argv[0]);
	rest = arena_strdup(s->arena, argv[1]);
	while ((word = strtok_r(rest, " \t", &rest)) != NULL)
		vec_push(s->arena, &words, word);
	for (int i = 2; i <= *argc; i++)
		vec_push(s->arena, &words, argv[i]);
	*argc = (int)words.count - 1;
	return words.data;
}
