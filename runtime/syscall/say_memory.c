/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory: mappings, buffers in pieces, futexes. */
#include "arch_syscall.h"
#include "syscall/syscall.h"

static void show_map_flags(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	uint64_t type = v & 0xf, flags = v & ~0xfull & ~(63ull << 26), huge = v >> 26 & 63;

	say_name(s, &stp_names_map_type, type);
	if (flags) {
		say(s, "|");
		say_flags(s, &stp_names_map_flags, flags);
	}
	if (huge) {
		say(s, "|");
		stp_text_unsigned(&s->text, huge);
		say(s, "<<MAP_HUGE_SHIFT");
	}
}
KIND(map_flags, ULONG, show_map_flags, NULL);

#define MREMAP_NEEDS_ADDRESS 6

static void show_mremap_flags(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_flags(s, &stp_names_mremap_flags, v);
	s->ends = !(v & MREMAP_NEEDS_ADDRESS);
}
KIND(mremap_flags, ULONG, show_mremap_flags, NULL);

/* ---- iovec ---- */

/*
 * Returns the size of a member in the caller's layout, even if its call uses the entry
 * point of 64-bit programs.
 */
static unsigned iovec_word(void)
{
	return arch_in_compat_syscall() ? 4 : 8;
}

static void read_iovec(const uint8_t *bytes, uint64_t *base, uint64_t *len)
{
	unsigned size = iovec_word();

	*base = *len = 0;
	memcpy(base, bytes, size);
	memcpy(len, bytes + size, size);
}

static void say_piece(struct stp_shown *s, const uint8_t *bytes, const void *data)
{
	int64_t *left = (int64_t *)data;
	uint64_t base, len, shown;

	read_iovec(bytes, &base, &len);
	shown = !left || (uint64_t)*left > len ? len : (uint64_t)*left;
	say(s, "{iov_base=");
	if (left && *left < 0) {
		say_pointer(s, base);
	} else {
		say_bytes(s, base, shown, 32);
	}
	if (left && *left >= 0)
		*left -= (int64_t)shown;
	say(s, ", iov_len=");
	stp_text_unsigned(&s->text, len);
	say(s, "}");
}

/*
 * Shows an iovec. filled: number of valid bytes; < 0: bytes are not shown; INT64_MAX: all
 * are valid.
 */
void say_iovec(struct stp_shown *s, uint64_t addr, uint64_t n, int64_t filled)
{
	say_array(s, addr, n, 2 * iovec_word(), say_piece, &filled);
}

static void show_iovec(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_iovec(s, v, call_behind(s, k), INT64_MAX);
}
KIND(iovec, ULONG, show_iovec, NULL);
KIND(iovec_remote, ULONG, show_iovec, NULL);

static void show_iovec_out(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	if (s->is_return && !s->failed)
		say_iovec(s, v, call_behind(s, k), s->result);
	else if (s->is_return)
		say_iovec(s, v, call_behind(s, k), -1);
	else
		say_pointer(s, v);
}
KIND(iovec_out, ULONG, show_iovec_out, NULL);

/*
 * Shows only addresses: those of another process, or addresses that are only looked up.
 */
static void show_iovec_addresses(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_iovec(s, v, call_behind(s, k), -1);
}
KIND(iovec_addresses, ULONG, show_iovec_addresses, NULL);

/* ---- futex: the operation decides which arguments it has ---- */

enum {
	WAIT_ = 0,
	WAKE_,
	FD_,
	REQUEUE_,
	CMP_REQUEUE_,
	WAKE_OP_,
	LOCK_PI_,
	UNLOCK_PI_,
	TRYLOCK_PI_,
	WAIT_BITSET_,
	WAKE_BITSET_,
	WAIT_REQUEUE_PI_,
	CMP_REQUEUE_PI_,
	LOCK_PI2_
};
#define REALTIME_BIT 256

void say_timespec(struct stp_shown *s, uint64_t addr, bool is_32);

static void say_wake_op(struct stp_shown *s, uint32_t v)
{
	static const char *const ops[] = { "FUTEX_OP_SET", "FUTEX_OP_ADD", "FUTEX_OP_OR",
					   "FUTEX_OP_ANDN", "FUTEX_OP_XOR" };
	static const char *const compares[] = { "FUTEX_OP_CMP_EQ", "FUTEX_OP_CMP_NE",
						"FUTEX_OP_CMP_LT", "FUTEX_OP_CMP_LE",
						"FUTEX_OP_CMP_GT", "FUTEX_OP_CMP_GE" };
	uint32_t op = v >> 28 & 7, compare = v >> 24 & 15;

	if (v >> 31)
		say(s, "FUTEX_OP_OPARG_SHIFT<<28|");
	if (op < ARRAY_SIZE(ops))
		say_text(s, ops[op]);
	else
		say_hex(s, op);
	say(s, "<<28|");
	show_hex(s, NULL, v >> 12 & 0xfff);
	say(s, "<<12|");
	if (compare < ARRAY_SIZE(compares))
		say_text(s, compares[compare]);
	else
		say_hex(s, compare);
	say(s, "<<24|");
	show_hex(s, NULL, v & 0xfff);
}

static void say_futex_rest(struct stp_shown *s, uint32_t op, bool is_32)
{
	bool waits = op == WAIT_ || op == WAIT_BITSET_ || op == LOCK_PI_ || op == LOCK_PI2_ ||
		     op == WAIT_REQUEUE_PI_;
	bool requeues =
		op == REQUEUE_ || op == CMP_REQUEUE_ || op == CMP_REQUEUE_PI_ || op == WAKE_OP_;

	if (op != LOCK_PI_ && op != LOCK_PI2_ && op != UNLOCK_PI_ && op != TRYLOCK_PI_) {
		say(s, ", ");
		if (requeues || op == WAKE_ || op == WAKE_BITSET_)
			stp_text_signed(&s->text, (int32_t)s->args[2]);
		else
			stp_text_unsigned(&s->text, (uint32_t)s->args[2]);
	}
	if (waits) {
		say(s, ", ");
		say_timespec(s, s->args[3], is_32);
	}
	if (requeues) {
		say(s, ", ");
		stp_text_signed(&s->text, (int32_t)s->args[3]);
	}
	if (requeues || op == WAIT_REQUEUE_PI_) {
		say(s, ", ");
		say_pointer(s, s->args[4]);
	}
	if (op == WAKE_OP_) {
		say(s, ", ");
		say_wake_op(s, (uint32_t)s->args[5]);
	} else if (op == CMP_REQUEUE_ || op == CMP_REQUEUE_PI_) {
		say(s, ", ");
		stp_text_unsigned(&s->text, (uint32_t)s->args[5]);
	} else if (op == WAIT_BITSET_ || op == WAKE_BITSET_) {
		say(s, ", ");
		if ((uint32_t)s->args[5] == 0xffffffff)
			say(s, "FUTEX_BITSET_MATCH_ANY");
		else
			say_hex(s, (uint32_t)s->args[5]);
	}
}

static void say_futex_op(struct stp_shown *s, uint32_t v)
{
	say_name(s, &stp_names_futex_op, v & ~REALTIME_BIT);
	if (v & REALTIME_BIT)
		say(s, "|FUTEX_CLOCK_REALTIME");
}

static void show_futex_op(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_futex_op(s, (uint32_t)v);
	say_futex_rest(s, v & 127, k->data != NULL);
	s->ends = true;
}
KIND(futex_op, INT, show_futex_op, NULL);
KIND(futex_op32, INT, show_futex_op, "32");

/* ---- nodes ---- */

static void show_nodemask(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	uint64_t word, max = call_behind(s, k);

	if (!v || !max || !call_peek(v, &word, 8)) {
		say_pointer(s, v);
		return;
	}
	say(s, "[");
	if (word) {
		say(s, "0x");
		for (int shift = word >> 56 ? 60 : 52; shift >= 0; shift -= 4) {
			char digit = "0123456789abcdef"[word >> shift & 15];

			stp_text_put(&s->text, &digit, 1);
		}
	}
	say(s, "]");
}
KIND(nodemask, ULONG, show_nodemask, NULL);
