/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Members of older kernels: members that have gone or moved, elements that are parts of a
 * number, numbers that are structures. member.c calls this after a step has failed.
 */
#ifndef STAP_TYPES_MEMBERDRIFT_H
#define STAP_TYPES_MEMBERDRIFT_H

#include "types/follow.h"

struct drift_step;
struct successor;

/*
 * Goes back to `before`, where `name` was not found, and follows the first of the row's
 * paths that exists. Returns the error `err` if there is no row; if none of its paths
 * exists, the error gets the history of the name. "" is the name of a structure that was
 * a number once; NULL: there can be no row.
 */
struct error *memberdrift_follow(struct follow *f, const struct follow_mark *before,
				 const char *name, struct error *err);

/* Returns the row of a member whose numbers now mean something else; or NULL. */
const struct drift_values *memberdrift_values(const struct follow_mark *before, const char *name);

/* Follows a step that only rows have. */
struct error *memberdrift_step(struct follow *f, const struct drift_step *step);

/*
 * Makes the path of a parameter's or variable's successor, appended to *ret and followed
 * by `more`. The element [0] of a structure that was a pointer once is the structure.
 */
void memberdrift_path(struct arena *a, const struct successor *now, const path_steps *more,
		      struct loc loc, path_steps *ret);

/* Returns the step to the units of the old value; now->divisor is not 0. */
struct access_step memberdrift_unit(const struct successor *now);

#endif
