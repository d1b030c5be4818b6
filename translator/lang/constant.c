/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applies operators to constants. */
#include "lang/ops.h"

bool constant_fold(enum op op, int64_t a, int64_t b, int64_t *ret)
{
	uint64_t ua = a, ub = b;

	switch (op) {
	case OP_ADD:
		*ret = ua + ub;
		return true;
	case OP_SUB:
		*ret = ua - ub;
		return true;
	case OP_MUL:
		*ret = ua * ub;
		return true;
	case OP_DIV:
		*ret = b == -1 ? (int64_t)-ua : b ? a / b : 0;
		return b != 0;
	case OP_MOD:
		*ret = b == -1 ? 0 : b ? a % b : 0;
		return b != 0;
	case OP_SHL:
		*ret = ua << (b & 63);
		return true;
	case OP_SHR:
		*ret = a >> (b & 63);
		return true;
	case OP_USHR:
		*ret = ua >> (b & 63);
		return true;
	case OP_AND:
		*ret = a & b;
		return true;
	case OP_OR:
		*ret = a | b;
		return true;
	case OP_XOR:
		*ret = a ^ b;
		return true;
	case OP_EQ:
		*ret = a == b;
		return true;
	case OP_NE:
		*ret = a != b;
		return true;
	case OP_LT:
		*ret = a < b;
		return true;
	case OP_GT:
		*ret = a > b;
		return true;
	case OP_LE:
		*ret = a <= b;
		return true;
	case OP_GE:
		*ret = a >= b;
		return true;
	default:
		return false;
	}
}
