/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/form/form.h"

void form_no_run(struct form *f, struct textrun *t)
{
}

void form_no_resume(struct form *f, const struct raw_resume *r)
{
}

void form_no_books(struct form *f, const struct books *b, uint64_t records, bool last)
{
}
