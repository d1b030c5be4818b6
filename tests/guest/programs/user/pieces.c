/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function whose variables lie in pieces that do not end at bytes. No compiler at hand writes such debuginfo: it is spelled out. */
// cflags: -O1 -no-pie -g0
#ifdef __aarch64__
#define BODY                                                                                       \
	"spread: nop\n"                                                                            \
	"inside: mov w0, #0\n"                                                                     \
	"	ret\n"
#define FIRST	 "0x50"
#define SECOND	 "0x51"
#define AT_THIRD "0x72"
#define FRAME	 "0x6f"
#else
#define BODY                                                                                       \
	"spread: nop\n"                                                                            \
	"inside: xor %eax, %eax\n"                                                                 \
	"	ret\n"
#define FIRST	 "0x55"
#define SECOND	 "0x54"
#define AT_THIRD "0x71"
#define FRAME	 "0x57"
#endif
unsigned long spread(unsigned long a, unsigned long b, const void *p);

__asm__(".text\n"
	".globl spread\n"
	".type spread, @function\n" BODY "spread_end:\n"
	".size spread, spread_end - spread\n"
	".section .debug_abbrev,\"\",@progbits\n"
	".byte 1, 0x11, 1, 0x03, 8, 0x11, 1, 0x12, 7, 0x13, 11, 0, 0\n" /* unit */
	".byte 2, 0x24, 0, 0x03, 8, 0x0b, 11, 0x3e, 11, 0, 0\n" /* type: name, size, encoding */
	".byte 3, 0x2e, 1, 0x03, 8, 0x11, 1, 0x12, 7, 0x3f, 12, 0x40, 24, 0, 0\n" /* function */
	".byte 4, 0x34, 0, 0x03, 8, 0x49, 19, 0x02, 24, 0, 0\n" /* variable: name, type, location */
	".byte 0\n"
	".section .debug_info,\"\",@progbits\n"
	"info: .long info_end - . - 4\n"
	".2byte 4\n"
	".long 0\n" /* .debug_abbrev has one table */
	".byte 8\n"
	".uleb128 1; .string \"pieces.s\"; .quad spread; .quad spread_end - spread; .byte 0x0c\n"
	"type_int: .uleb128 2; .string \"unsigned int\"; .byte 4, 7\n"
	"type_long: .uleb128 2; .string \"unsigned long\"; .byte 8, 7\n"
	".uleb128 3; .string \"spread\"; .quad spread; .quad spread_end - spread; .byte 1; "
	".uleb128 1; .byte " FRAME "\n"
	/* 12 bits of rdi, 20 of rsi from its 4th on */
	".uleb128 4; .string \"bits\"; .long type_int - info; .uleb128 8; .byte " FIRST
	", 0x9d, 12, 0, " SECOND ", 0x9d, 20, 4\n"
	/* memory at rdx: 13 bits from the 3rd, 19 from the 17th; 32 of rdi from its 8th on */
	".uleb128 4; .string \"wide\"; .long type_long - info; .uleb128 14; .byte " AT_THIRD
	", 0, 0x9d, 13, 3, " AT_THIRD ", 2, 0x9d, 19, 1, " FIRST ", 0x9d, 32, 8\n"
	/* bytes behind bits */
	".uleb128 4; .string \"mixed\"; .long type_int - info; .uleb128 11; .byte " FIRST
	", 0x9d, 4, 0, " SECOND ", 0x93, 3, " FIRST ", 0x9d, 4, 60\n"
	/* a part that is nowhere */
	".uleb128 4; .string \"gone\"; .long type_int - info; .uleb128 7; .byte " FIRST
	", 0x9d, 12, 0, 0x9d, 20, 0\n"
	/* longer than anything */
	".uleb128 4; .string \"endless\"; .long type_int - info; .uleb128 7; .byte " FIRST
	", 0x9d, 0xff, 0xff, 0xff, 0x7f, 0\n"
	".uleb128 4; .string \"nothing\"; .long type_int - info; .uleb128 4; .byte " FIRST
	", 0x9d, 0, 0\n"
	/* what rdi was at entry */
	".uleb128 4; .string \"entered\"; .long type_long - info; .uleb128 4; .byte 0xa3, 1, " FIRST
	", 0x9f\n"
	".byte 0, 0\n"
	"info_end:\n"
	".text\n");

int main(void)
{
	static volatile unsigned char memory[] = { 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88 };

	/* Probes read what is in memory. */
	return memory[1] - 0x22 +
	       (int)spread(0x123456789abcdef0, 0x0fedcba987654321, (const void *)memory);
}
