/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "types/choice.h"

#include "base/session.h"

size_t choice_jump(struct shaper *sh, struct stp_shape row)
{
	vec_push(sh->s->arena, sh->rows, row);
	return sh->rows->count - 1;
}

void choice_land(struct shaper *sh, size_t row)
{
	sh->rows->data[row].count = (uint32_t)(sh->rows->count - row - 1);
}

struct choice choice_open(struct shaper *sh, const char *name, uint64_t offset, uint64_t size)
{
	return (struct choice){ .start = choice_jump(sh,
						     (struct stp_shape){ .kind = STP_SHAPE_SWITCH,
									 .text = name,
									 .offset = (uint32_t)offset,
									 .size = (uint8_t)size }),
				.len = sh->len,
				.least = SIZE_MAX };
}

size_t choice_case(struct shaper *sh, uint64_t value)
{
	choice_jump(sh, (struct stp_shape){ .kind = STP_SHAPE_CASE,
					    .text = "",
					    .offset = (uint32_t)value,
					    .count = (uint32_t)(value >> 32) });
	return choice_jump(sh, (struct stp_shape){ .kind = STP_SHAPE_JUMP, .text = "" });
}

void choice_end_case(struct shaper *sh, struct choice *c, size_t next, choice_ends *ends)
{
	vec_push(sh->s->arena, ends,
		 choice_jump(sh, (struct stp_shape){ .kind = STP_SHAPE_JUMP, .text = "" }));
	choice_land(sh, next);
	c->least = sh->len < c->least ? sh->len : c->least;
	sh->len = c->len;
}

void choice_close(struct shaper *sh, struct choice *c, const choice_ends *ends)
{
	if (c->least < sh->len)
		sh->len = c->least;
	vec_each(ends, i)
		choice_land(sh, ends->data[i]);
	choice_land(sh, c->start);
}
