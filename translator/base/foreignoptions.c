/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/foreignoptions.h"

#include <stddef.h>
#include <string.h>

static const struct foreignoption table[] = {
#define FOREIGN(option, accepted, text) { option, accepted, text, NULL },
#define VALUED(option, values, text)	{ option, true, text, values },
#include "base/foreignoptions.def"
#undef VALUED
#undef FOREIGN
};

const struct foreignoption *foreignoptions_find(const char *option)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (!strcmp(table[i].option, option))
			return &table[i];
	return NULL;
}
