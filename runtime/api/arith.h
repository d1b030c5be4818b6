/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arithmetic that can fail or trap. */
#ifndef STP_API_ARITH_H
#define STP_API_ARITH_H

#include "core/env.h"

struct stp_ctx;

int64_t stp_div(struct stp_ctx *c, int64_t a,
		int64_t b); /* by 0: "division by 0"; INT64_MIN / -1 wraps */
int64_t stp_mod(struct stp_ctx *c, int64_t a, int64_t b);
/* Shift by the low 6 bits of the count, as processors do. */
static inline int64_t stp_shl(int64_t a, int64_t b);
static inline int64_t stp_shr(int64_t a, int64_t b);
static inline int64_t stp_ushr(int64_t a, int64_t b);

#endif
