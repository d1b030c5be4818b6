/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output of a handler: items of its record, texts and messages. Also ends a script. */
#ifndef STP_API_OUTPUT_H
#define STP_API_OUTPUT_H

#include "api/map.h"

/*
 * One printf format. args: a letter for each argument in order, 'd' long or 's' string
 * (%m: 'd' address, read at once). core/printf.c does all formatting: in the module for
 * sprintf, in stapio for printf.
 */
struct stp_format {
	const char *text;
	uint32_t len;
	const char *args;
	size_t (*dump)(struct stp_ctx *c, unsigned format, unsigned index,
		       const union stp_key *args); /* NULL: without %m and %M */
	const char *fields;			   /* see uapi/msg.h, formats; or NULL */
};
/*
 * Builds the item of a format with memory dumps as an item of format `index`. Returns its
 * size, or 0 and an error.
 */
size_t stp_format_dump(struct stp_ctx *c, unsigned format, unsigned index,
		       const union stp_key *args);

/*
 * Builds an item of this hit's record (uapi/record.h) in place: first room for it, then
 * its parts one after the other. NULL and an error: it is longer than any record.
 */
static inline uint8_t *stp_item(struct stp_ctx *c, size_t bytes);
static inline size_t stp_item_string_bytes(struct stp_str s);
static inline uint8_t *stp_item_format(uint8_t *p, unsigned format);
static inline uint8_t *stp_item_long(uint8_t *p, int64_t v);
static inline uint8_t *stp_item_string(uint8_t *p, struct stp_str s);
uint8_t *stp_item_more(struct stp_ctx *c, size_t bytes); /* the slow half of stp_item() */
/* Print with all parts in an array, and with memory dumps. */
void stp_printf(struct stp_ctx *c, unsigned format, const union stp_key *args);
struct stp_str stp_sprintf(struct stp_ctx *c, char *dst, unsigned format,
			   const union stp_key *args);
/*
 * sprintf in pieces, for formats whose conversions are all plain: `struct stp_text t = {
 * { dst, 0 }, false }`, the pieces, the end.
 */
struct stp_text {
	struct stp_str str;
	bool cut;
};
void stp_text_put(void *text, const char *s, size_t len);
static inline void stp_text_char(struct stp_text *t, char c);
void stp_text_signed(struct stp_text *t, int64_t v);
void stp_text_unsigned(struct stp_text *t, uint64_t v);
void stp_text_hex(struct stp_text *t, uint64_t v, bool prefixed);
/* Adds an address to a list separated by blanks. False: there is no room for it. */
bool stp_text_address(struct stp_text *t, uint64_t address);
/* The same, with a cache for the text of the last address. All zeros: it is empty. */
struct stp_kept_address {
	uint64_t address;
	uint32_t len;
	char text[32]; /* with a blank before it; the bytes after it are undefined */
};
bool stp_text_kept_address(struct stp_text *t, uint64_t address, struct stp_kept_address *kept);
struct stp_str stp_text_end(struct stp_ctx *c, struct stp_text *t);
/* Prints plain text of any length. */
void stp_print_text(struct stp_ctx *c, const char *s, size_t len);
void stp_warn(struct stp_ctx *c, struct stp_str text); /* "WARNING: …" on stderr */
void stp_log_error(struct stp_ctx *c,
		   struct stp_str text); /* "ERROR: …" on stderr; the script continues */
void stp_log(struct stp_ctx *c, struct stp_str text);	  /* log(): a line of the output */
void stp_command(struct stp_ctx *c, struct stp_str text); /* system() */
/* exit(): the script ends after this handler. */
void stp_exit(struct stp_ctx *c);
/*
 * abort(): like exit(), and the handler ends here, with an error that cannot be caught.
 */
void stp_abort(struct stp_ctx *c);

#endif
