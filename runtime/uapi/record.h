/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Format of the data that travels from the runtime to stapio through a ring, one ring per
 * CPU and one more for probes that may sleep (begin, end, error).
 *
 *   ring:    record record record …            (byte stream; a record never wraps
 *            half-written: it is committed whole)
 *   record:  struct stp_record | body of `len` bytes | padding to 8
 *   body of RECORD_OUTPUT:  item item …        (output of one probe hit, in order)
 *   item:    u16 format | arguments, in the order the format's directives consume them,
 *            unaligned:
 *              long    8 bytes, little endian
 *              string  u16 length | bytes, no NUL
 *            a memory dump (%m %M) is a string of the bytes read
 *            format STP_FORMAT_TEXT: one string, printed as it is
 *            format STP_FORMAT_TASK: u32 process | u32 thread that was hit; prints
 *              nothing; the first item, if the reader requests it
 *            format STP_FORMAT_HIST: a string, struct stp_hist_item and its counts;
 *              prints nothing: the picture follows as texts, the last of which is a
 *              newline. Also only if the reader requests it
 *   body of the other kinds: text, no NUL
 *
 * A hit that prints more than a ring's staging area holds is split into several records,
 * all but the last with RECORD_MORE. They follow each other directly in their ring, and a
 * reader keeps them together.
 */
#ifndef STP_UAPI_RECORD_H
#define STP_UAPI_RECORD_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

enum stp_record_kind {
	RECORD_OUTPUT,	/* formatted by the reader to the output */
	RECORD_WARNING, /* "WARNING: text" on stderr */
	RECORD_ERROR,	/* "ERROR: text" on stderr; the run's exit status becomes 1 */
	RECORD_LOG,	/* a line of the output, unchanged: log() */
	RECORD_COMMAND, /* system(): run by stapio with a shell, as the user */
	RECORD_KINDS
};

/* Flags of a record. */
#define RECORD_MORE  1 /* the next record continues the same text */
#define RECORD_FIRST 2 /* of a hit */
#define RECORD_COUNTED                                                                             \
	4 /* with RECORD_FIRST, in rings that overwrite: the books count the hit as delivered */
#define RECORD_FLAGS 7 /* all of them */

/* No printf format has these indices. */
#define STP_FORMAT_TEXT	 0xffff
#define STP_FORMAT_TASK	 0xfffe
#define STP_FORMAT_HIST	 0xfffd
#define STP_FORMATS_MOST 0xfff0

#define STP_TASK_BYTES 8 /* after STP_FORMAT_TASK */

/* Values that an aggregate keeps besides its count. */
enum stp_keep { STP_KEEP_SUM = 1, STP_KEEP_MIN = 2, STP_KEEP_MAX = 4, STP_KEEP_SQUARES = 8 };

/*
 * A histogram in numbers, followed by the counts of `shown` buckets, u64, and its name.
 */
struct stp_hist_item {
	int64_t count, sum, min, max;
	int64_t low, width; /* of a linear one */
	uint32_t is_linear;
	uint32_t keeps;		 /* enum stp_keep: which of sum, min, max there are */
	uint32_t buckets, first; /* total; the first one shown */
	uint32_t shown;
	uint32_t reserved;
};
_Static_assert(sizeof(struct stp_hist_item) == 72, "part of the protocol");
#define STP_HIST_LOG_MIDDLE 64 /* bucket of 0 in a logarithmic one */

#define STP_NO_PROBE UINT32_MAX /* a message of the runtime itself */

struct stp_record {
	uint64_t time;	/* CLOCK_MONOTONIC ns when the hit began to print */
	uint32_t probe; /* index of the probe that was hit, as in the books */
	uint16_t len;	/* bytes of body, without padding */
	uint8_t kind;	/* enum stp_record_kind */
	uint8_t flags;
};
_Static_assert(sizeof(struct stp_record) == 16, "the record header is part of the protocol");

#define STP_RECORD_ALIGN(n) (((n) + 7) & ~7u)
#define STP_RECORD_MAX	    65528 /* bytes of body; longer hits are cut with RECORD_MORE */

#endif
