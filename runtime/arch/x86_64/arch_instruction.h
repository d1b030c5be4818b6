/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Performs simple instructions of programs on a task's registers, in place of the
 * processor. A kernel that leaves an instruction out after a handler has moved the
 * instruction pointer is spared a single step, which takes three times as long as all
 * the rest of a hit. arch_instructions.def has a row for each; the flags are those of the
 * same operation here, performed by the processor.
 *
 * Nothing is done if memory cannot be read without a fault: the kernel executes the
 * instruction.
 */
#ifndef STP_ARCH_INSTRUCTION_H
#define STP_ARCH_INSTRUCTION_H

#include "arch_nops.h"

enum arch_operation {
	ARCH_OP_NONE, /* not an instruction of the table */
	ARCH_OP_PAD,  /* endbr64: without an effect */
	ARCH_OP_MOV,
	ARCH_OP_MOVS, /* extends the sign */
	ARCH_OP_LEA,
	ARCH_OP_ADD,
	ARCH_OP_OR,
	ARCH_OP_AND,
	ARCH_OP_SUB,
	ARCH_OP_XOR,
	ARCH_OP_CMP,
	ARCH_OP_TEST,
};

/* The operands: RM is a register or memory, IMM a constant, A rax, OP in the opcode. */
enum arch_form {
	ARCH_FORM_RM_REG,
	ARCH_FORM_REG_RM,
	ARCH_FORM_RM_IMM,
	ARCH_FORM_RM_IMM8, /* the constant has one byte, with a sign */
	ARCH_FORM_A_IMM,
	ARCH_FORM_OP_IMM,
};

enum arch_operand { ARCH_REGISTER, ARCH_MEMORY, ARCH_CONSTANT };

#define ARCH_NO_REGISTER 0xff
#define ARCH_IP_REGISTER 0xfe /* the address of the next instruction */

struct arch_instruction {
	uint8_t operation;
	uint8_t length;	       /* 0: none */
	uint8_t size;	       /* of the operation: 1, 4 or 8 */
	uint8_t bytes;	       /* of the operand in memory, or of the second register */
	uint8_t first, second; /* enum arch_operand */
	uint8_t to, from;      /* registers of these */
	uint8_t base, index, scale;
	int64_t constant; /* or the distance of the memory */
	int64_t distance;
};

/* The code that is being read; a byte after its end makes it short. */
struct arch_code {
	const uint8_t *at;
	unsigned int left;
	bool is_short;
	uint8_t rex;
};

static inline int64_t arch_code_take(struct arch_code *c, unsigned int size)
{
	int64_t value = 0;

	if (c->left < size) {
		c->is_short = true;
		return 0;
	}
	for (unsigned int i = 0; i < size; i++)
		value |= (int64_t)((uint64_t)c->at[i] << 8 * i);
	c->at += size;
	c->left -= size;
	return size == 1 ? (int8_t)value : size == 4 ? (int32_t)value : value;
}

/* Reads the byte after the ModRM byte that has a base and an index. */
static inline void arch_code_take_index(struct arch_code *c, unsigned int mod,
					struct arch_instruction *ret)
{
	uint8_t sib = (uint8_t)arch_code_take(c, 1);

	ret->scale = sib >> 6;
	ret->index = (uint8_t)((sib >> 3 & 7) | (c->rex & 2) << 2);
	ret->base = (uint8_t)((sib & 7) | (c->rex & 1) << 3);
	if (ret->index == 4)
		ret->index = ARCH_NO_REGISTER;
	if ((sib & 7) == 5 && !mod)
		ret->base = ARCH_NO_REGISTER;
}

/* Reads where in memory an operand is. */
static inline void arch_code_take_memory(struct arch_code *c, uint8_t modrm,
					 struct arch_instruction *ret)
{
	unsigned int mod = modrm >> 6;

	ret->base = (uint8_t)((modrm & 7) | (c->rex & 1) << 3);
	if ((modrm & 7) == 4)
		arch_code_take_index(c, mod, ret);
	else if ((modrm & 7) == 5 && !mod)
		ret->base = ARCH_IP_REGISTER;
	if (mod == 1)
		ret->distance = arch_code_take(c, 1);
	else if (mod == 2 || ret->base >= ARCH_IP_REGISTER)
		ret->distance = arch_code_take(c, 4);
}

struct arch_instruction_row {
	uint16_t opcode;
	uint8_t digit, operation, form, bytes;
};

#define ARCH_DIGIT_ANY	0xff
#define ARCH_DIGIT_REG	0xfe /* the opcode has a register in its last three bits */
#define ARCH_BYTES_FULL 0

static const struct arch_instruction_row arch_instruction_rows[] = {
#define ANY  ARCH_DIGIT_ANY
#define REG  ARCH_DIGIT_REG
#define FULL ARCH_BYTES_FULL
#define INSTRUCTION(opcode, digit, operation, form, bytes)                                         \
	{ opcode, digit, ARCH_OP_##operation, ARCH_FORM_##form, bytes },
#include "arch_instructions.def"
#undef INSTRUCTION
#undef ANY
#undef REG
#undef FULL
};

static inline const struct arch_instruction_row *arch_instruction_row(unsigned int opcode,
								      unsigned int digit)
{
	for (unsigned int i = 0;
	     i < sizeof(arch_instruction_rows) / sizeof(arch_instruction_rows[0]); i++) {
		const struct arch_instruction_row *row = &arch_instruction_rows[i];

		if (row->digit == ARCH_DIGIT_REG
			    ? row->opcode == (opcode & ~7u)
			    : row->opcode == opcode &&
				      (row->digit == ARCH_DIGIT_ANY || row->digit == digit))
			return row;
	}
	return NULL;
}

/* Without a REX prefix, numbers 4 to 7 are the second bytes of other registers. */
static inline bool arch_is_high_byte(const struct arch_code *c, unsigned int bytes,
				     unsigned int reg)
{
	return bytes == 1 && !c->rex && reg >= 4 && reg < 8;
}

/* Reads the operands after the opcode. False: a form that is not performed. */
static inline bool arch_code_take_operands(struct arch_code *c,
					   const struct arch_instruction_row *row,
					   struct arch_instruction *ret)
{
	bool has_modrm = row->form <= ARCH_FORM_RM_IMM8;
	uint8_t modrm = has_modrm ? (uint8_t)arch_code_take(c, 1) : 0xc0;
	uint8_t reg = (uint8_t)((modrm >> 3 & 7) | (c->rex & 4) << 1);
	uint8_t rm = has_modrm ? (uint8_t)((modrm & 7) | (c->rex & 1) << 3) : 0;
	uint8_t place = modrm >> 6 == 3 ? ARCH_REGISTER : ARCH_MEMORY;

	if (place == ARCH_MEMORY)
		arch_code_take_memory(c, modrm, ret);
	ret->first = row->form == ARCH_FORM_REG_RM ? ARCH_REGISTER : place;
	ret->second = row->form == ARCH_FORM_REG_RM   ? place
		      : row->form == ARCH_FORM_RM_REG ? ARCH_REGISTER
						      : ARCH_CONSTANT;
	ret->to = row->form == ARCH_FORM_REG_RM ? reg : rm;
	ret->from = row->form == ARCH_FORM_REG_RM ? rm : reg;
	if (ret->second == ARCH_CONSTANT)
		ret->constant = arch_code_take(c, row->form == ARCH_FORM_RM_IMM8  ? 1
						  : row->form == ARCH_FORM_OP_IMM ? ret->size
						  : ret->size == 1		  ? 1
										  : 4);
	return !(ret->first == ARCH_REGISTER && arch_is_high_byte(c, ret->size, ret->to)) &&
	       !(ret->second == ARCH_REGISTER && arch_is_high_byte(c, ret->bytes, ret->from));
}

static inline bool arch_writes(const struct arch_instruction *i)
{
	return i->operation != ARCH_OP_CMP && i->operation != ARCH_OP_TEST &&
	       i->operation != ARCH_OP_PAD;
}

static inline bool arch_instruction_is_done(const struct arch_instruction *i)
{
	if (i->first == ARCH_MEMORY && arch_writes(i))
		return false;
	return i->operation != ARCH_OP_LEA || i->second == ARCH_MEMORY;
}

/*
 * Reads the instruction at the beginning of the code of a 64-bit program. Its length is 0
 * if it is not performed here.
 */
static inline struct arch_instruction arch_instruction_read(const uint8_t *code, unsigned int left)
{
	struct arch_instruction i = { .base = ARCH_NO_REGISTER, .index = ARCH_NO_REGISTER },
				none = { .length = 0 };
	struct arch_code c = { .at = code, .left = left };
	const struct arch_instruction_row *row;
	unsigned int opcode;

	if (arch_nop_pad(code, left)) {
		none.operation = ARCH_OP_PAD;
		none.length = (uint8_t)arch_nop_pad(code, left);
		return none;
	}
	if (left && (*code & 0xf0) == 0x40)
		c.rex = (uint8_t)arch_code_take(&c, 1);
	opcode = (uint8_t)arch_code_take(&c, 1);
	if (opcode == 0x0f)
		opcode = opcode << 8 | (uint8_t)arch_code_take(&c, 1);
	row = arch_instruction_row(opcode, c.left ? *c.at >> 3 & 7 : 0);
	if (c.is_short || !row)
		return none;
	i.operation = row->operation;
	i.bytes = row->bytes;
	i.size = i.bytes == 1 && (i.operation == ARCH_OP_CMP || i.operation == ARCH_OP_TEST) ? 1
		 : c.rex & 8								     ? 8
											     : 4;
	if (i.bytes == ARCH_BYTES_FULL)
		i.bytes = i.size;
	if (!arch_code_take_operands(&c, row, &i) || c.is_short || !arch_instruction_is_done(&i))
		return none;
	if (row->form == ARCH_FORM_OP_IMM)
		i.to = (uint8_t)((opcode & 7) | (c.rex & 1) << 3);
	i.length = (uint8_t)(c.at - code);
	return i;
}

/* True: it changes the stack pointer. */
static inline bool arch_instruction_moves_stack(const struct arch_instruction *i)
{
	return i->length && arch_writes(i) && i->to == 4;
}

/* ---- performing it ---- */

static inline unsigned long *arch_register(struct pt_regs *regs, unsigned int number)
{
	static const uint8_t words[] = {
#define WORD(member) offsetof(struct pt_regs, member) / sizeof(long)
		WORD(ax),  WORD(cx),  WORD(dx),	 WORD(bx),  WORD(sp),  WORD(bp),
		WORD(si),  WORD(di),  WORD(r8),	 WORD(r9),  WORD(r10), WORD(r11),
		WORD(r12), WORD(r13), WORD(r14), WORD(r15),
#undef WORD
	};

	return (unsigned long *)regs + words[number & 15];
}

static inline unsigned long arch_memory_of(const struct arch_instruction *i, struct pt_regs *regs)
{
	unsigned long address = (unsigned long)i->distance;

	if (i->base == ARCH_IP_REGISTER)
		address += regs->ip + i->length;
	else if (i->base != ARCH_NO_REGISTER)
		address += *arch_register(regs, i->base);
	if (i->index != ARCH_NO_REGISTER)
		address += *arch_register(regs, i->index) << i->scale;
	return address;
}

/* Reads an operand of that many bytes, the others being 0; false: it is not in memory. */
static inline bool arch_operand_read(const struct arch_instruction *i, struct pt_regs *regs,
				     unsigned int operand, unsigned int reg, unsigned int bytes,
				     unsigned long *ret)
{
	*ret = 0;
	if (operand == ARCH_MEMORY)
		return !copy_from_user_nofault(ret, (const void __user *)arch_memory_of(i, regs),
					       bytes);
	*ret = operand == ARCH_REGISTER ? *arch_register(regs, reg) : (unsigned long)i->constant;
	if (bytes < sizeof(long))
		*ret &= (1ul << 8 * bytes) - 1;
	return true;
}

#define ARCH_CARRY    0x001ul
#define ARCH_OVERFLOW 0x800ul
#define ARCH_LOW      0x0d5ul /* the flags in the lowest byte: CF, PF, AF, ZF, SF */

/* Takes the flags that lahf has left in AH, and seto in AL. */
static inline unsigned long arch_flags_after(unsigned long flags, uint16_t got)
{
	flags &= ~(ARCH_LOW | ARCH_OVERFLOW);
	flags |= got >> 8 & ARCH_LOW;
	return flags | ((got & 1) ? ARCH_OVERFLOW : 0);
}

#define ARCH_COMPUTE(text, type, a, b, got)                                                        \
	do {                                                                                       \
		type a_ = (type)(a);                                                               \
		__asm__(text " %[from], %[to]\n\tlahf\n\tseto %%al"                                \
			: [to] "+&r"(a_), "=&a"(got)                                               \
			: [from] "r"((type)(b))                                                    \
			: "cc");                                                                   \
		(a) = a_;                                                                          \
	} while (0)

#define ARCH_COMPUTE_SIZED(text, size, a, b, got)                                                  \
	do {                                                                                       \
		if ((size) == 8)                                                                   \
			ARCH_COMPUTE(text "q", uint64_t, a, b, got);                               \
		else if ((size) == 4)                                                              \
			ARCH_COMPUTE(text "l", uint32_t, a, b, got);                               \
		else                                                                               \
			ARCH_COMPUTE(text "b", uint8_t, a, b, got);                                \
	} while (0)

/* Returns the result of an operation that sets flags. */
static inline unsigned long arch_compute(const struct arch_instruction *i, unsigned long a,
					 unsigned long b, unsigned long *flags)
{
	uint16_t got;

	switch (i->operation) {
	case ARCH_OP_ADD:
		ARCH_COMPUTE_SIZED("add", i->size, a, b, got);
		break;
	case ARCH_OP_OR:
		ARCH_COMPUTE_SIZED("or", i->size, a, b, got);
		break;
	case ARCH_OP_XOR:
		ARCH_COMPUTE_SIZED("xor", i->size, a, b, got);
		break;
	case ARCH_OP_AND:
	case ARCH_OP_TEST:
		ARCH_COMPUTE_SIZED("and", i->size, a, b, got);
		break;
	default:
		ARCH_COMPUTE_SIZED("sub", i->size, a, b, got);
		break;
	}
	*flags = arch_flags_after(*flags, got);
	return a;
}

static inline unsigned long arch_signed(unsigned long value, unsigned int bytes)
{
	return bytes == 1   ? (unsigned long)(long)(int8_t)value
	       : bytes == 2 ? (unsigned long)(long)(int16_t)value
			    : (unsigned long)(long)(int32_t)value;
}

/* Performs an operation other than a pad; false: memory cannot be read. */
static inline bool arch_operation_do(const struct arch_instruction *i, struct pt_regs *regs)
{
	unsigned long a, b;

	if (i->operation == ARCH_OP_LEA) {
		a = arch_memory_of(i, regs);
	} else if (!arch_operand_read(i, regs, i->second, i->from, i->bytes, &b)) {
		return false;
	} else if (i->operation == ARCH_OP_MOV) {
		a = b;
	} else if (i->operation == ARCH_OP_MOVS) {
		a = arch_signed(b, i->bytes);
	} else {
		if (!arch_operand_read(i, regs, i->first, i->to, i->size, &a))
			return false;
		a = arch_compute(i, a, b, &regs->flags);
	}
	if (arch_writes(i))
		*arch_register(regs, i->to) = i->size == 4 ? (uint32_t)a : a;
	return true;
}

#define ARCH_TRAP 0x100ul /* TF: the processor traps after each instruction */

/*
 * Performs the instruction, at which the instruction pointer is, and moves that on.
 * Otherwise nothing has changed. A debugger that steps through the program sees each
 * instruction only if the kernel executes it: no trap follows what is performed here.
 */
static inline void arch_instruction_do(const struct arch_instruction *i, struct pt_regs *regs)
{
	if (!user_64bit_mode(regs) || regs->flags & ARCH_TRAP)
		return;
	if (i->operation == ARCH_OP_PAD || arch_operation_do(i, regs))
		regs->ip += i->length;
}

#endif
