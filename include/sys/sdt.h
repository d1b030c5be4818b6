/* SPDX-License-Identifier: CC0-1.0 */
/*
 * Static markers: a nop in the program, and a note that tells tracers its address and
 * where its arguments are. In the public domain: use it in any program.
 *
 *   STAP_PROBE(provider, name)           also under the name DTRACE_PROBE
 *   STAP_PROBE1(provider, name, arg1)    … to STAP_PROBE12; the same for DTRACE_PROBE
 *   STAP_PROBEV(provider, name, arg...)  any number up to 12: from C99 and C++11 on, or
 *                                        with SDT_USE_VARIADIC defined
 *
 * Arguments are integers, enumerations, pointers, arrays (their address) and
 * floating-point numbers (their bits, as an integer). They are computed even when nobody
 * traces: keep them cheap, or define _SDT_HAS_SEMAPHORES before this header and, for each
 * marker,
 *
 *   unsigned short provider_name_semaphore __attribute__((section(".probes")));
 *
 * (extern "C" in C++; dtrace(1) -G does it) which is not zero while the marker is traced.
 *
 * In a .S file the same macros take operands with their sizes: STAP_PROBE2(provider,
 * name, 8@%rdi, -4@%esi). Inside of an asm statement:
 *
 *   asm("..." STAP_PROBE_ASM(provider, name, 8@%%rdi -4@%%esi) "..." : : )
 *   asm("..." STAP_PROBE_ASM(provider, name, STAP_PROBE_ASM_TEMPLATE(2)) "..."
 *       : : STAP_PROBE_ASM_OPERANDS(2, a, b))
 *
 * The note: section .note.stapsdt, owner "stapsdt", type 3; its description is three
 * addresses (the nop; the section .stapsdt.base as it was linked, which shows prelinking;
 * the semaphore or 0), then provider, name and arguments as strings. An argument is
 * SIZE@OPERAND, SIZE in bytes, negative when signed.
 */
#ifndef _SYS_SDT_H
#define _SYS_SDT_H 1

/* Warnings that the program asks for do not apply to this file. */
#ifndef __ASSEMBLER__
#pragma GCC system_header
#endif

#define _SDT_STR_(...) #__VA_ARGS__
#define _SDT_STR(...)  _SDT_STR_(__VA_ARGS__)

/*
 * A line for the assembler. _SDT_LINE_OF expands macros in it; _SDT_LINE does not, so
 * that a program's macros cannot change the text here.
 */
#ifdef __ASSEMBLER__
#define _SDT_LINE(...)	  __VA_ARGS__;
#define _SDT_LINE_OF(...) __VA_ARGS__;
#else
#define _SDT_LINE(...)	  "\t" #__VA_ARGS__ "\n"
#define _SDT_LINE_OF(...) _SDT_LINE(__VA_ARGS__)
#endif

#if defined __SIZEOF_POINTER__ && __SIZEOF_POINTER__ == 4
#define _SDT_WORD .4byte
#elif defined __SIZEOF_POINTER__ || defined __LP64__
#define _SDT_WORD .8byte
#else
#define _SDT_WORD .4byte
#endif

/* These assemblers want an operand. */
#if defined __s390__ || defined __ia64__
#define _SDT_NOP nop 0
#else
#define _SDT_NOP nop
#endif

/*
 * A nop of 10 bytes behind the marker: some kernels let a tracer put a call there, which
 * takes less time than a breakpoint.
 */
#if defined __x86_64__ && defined __LP64__
#define _SDT_NOP10 _SDT_LINE(.byte 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0)
#else
#define _SDT_NOP10
#endif

#ifdef _SDT_HAS_SEMAPHORES
#define _SDT_SEMAPHORE_(provider, name) provider##_##name##_semaphore
#define _SDT_SEMAPHORE(provider, name)	_SDT_SEMAPHORE_(provider, name)
#else
#define _SDT_SEMAPHORE(provider, name) 0
#endif

/*
 * "?": when several objects have the same inline function, the linker keeps one, and its
 * note with it.
 */
#define _SDT_NOTE(provider, name, args_line)                                                  \
	_SDT_LINE_OF(9901: _SDT_NOP)                                                          \
	_SDT_NOP10                                                                            \
	_SDT_LINE(.pushsection .note.stapsdt, "?", "note")                                    \
	_SDT_LINE(.balign 4)                                                                  \
	_SDT_LINE(.4byte 9903f - 9902f, 9905f - 9904f, 3)                                     \
	_SDT_LINE(9902: .asciz "stapsdt")                                                     \
	_SDT_LINE(9903: .balign 4)                                                            \
	_SDT_LINE_OF(9904: _SDT_WORD 9901b, _.stapsdt.base, _SDT_SEMAPHORE(provider, name))   \
	_SDT_LINE_OF(.asciz _SDT_STR(provider))                                               \
	_SDT_LINE_OF(.asciz _SDT_STR(name))                                                   \
	args_line                                                                             \
	_SDT_LINE(9905: .balign 4)                                                            \
	_SDT_LINE(.popsection)                                                                \
	_SDT_LINE(.ifndef _.stapsdt.base)                                                     \
	_SDT_LINE(.pushsection .stapsdt.base, "aG", "progbits", .stapsdt.base, comdat)        \
	_SDT_LINE(.weak _.stapsdt.base)                                                       \
	_SDT_LINE(.hidden _.stapsdt.base)                                                     \
	_SDT_LINE(_.stapsdt.base: .space 1)                                                   \
	_SDT_LINE(.size _.stapsdt.base, 1)                                                    \
	_SDT_LINE(.popsection)                                                                \
	_SDT_LINE(.endif)

/* Takes operands as they are written. */
#define STAP_PROBE_ASM(provider, name, ...) _SDT_NOTE(provider, name, _SDT_LINE_OF(.asciz _SDT_STR(__VA_ARGS__)))

#ifdef __ASSEMBLER__

#define _SDT_PROBE_0(provider, name) STAP_PROBE_ASM(provider, name, )
#define _SDT_PROBE_1(provider, name, a1) STAP_PROBE_ASM(provider, name, a1)
#define _SDT_PROBE_2(provider, name, a1, a2) STAP_PROBE_ASM(provider, name, a1 a2)
#define _SDT_PROBE_3(provider, name, a1, a2, a3) STAP_PROBE_ASM(provider, name, a1 a2 a3)
#define _SDT_PROBE_4(provider, name, a1, a2, a3, a4) STAP_PROBE_ASM(provider, name, a1 a2 a3 a4)
#define _SDT_PROBE_5(provider, name, a1, a2, a3, a4, a5) STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5)
#define _SDT_PROBE_6(provider, name, a1, a2, a3, a4, a5, a6) STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6)
#define _SDT_PROBE_7(provider, name, a1, a2, a3, a4, a5, a6, a7) STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6 a7)
#define _SDT_PROBE_8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6 a7 a8)
#define _SDT_PROBE_9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9)
#define _SDT_PROBE_10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9 a10)
#define _SDT_PROBE_11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11)
#define _SDT_PROBE_12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12)

#else /* C and C++ */

/*
 * Constraint for an argument's operand, from which the compiler chooses: constant,
 * memory, register.
 */
#ifndef STAP_SDT_ARG_CONSTRAINT
#if defined __powerpc__
#define STAP_SDT_ARG_CONSTRAINT nZr
#elif defined __arm__
#define STAP_SDT_ARG_CONSTRAINT g
#elif defined __aarch64__ /* where only the linker knows an operand's offset in memory */
#define STAP_SDT_ARG_CONSTRAINT nr
#else
#define STAP_SDT_ARG_CONSTRAINT nor
#endif
#endif

/* _SDT_SIZE(x): size in bytes, negative for a signed type. */
#ifdef __cplusplus
extern "C++" {
template <typename T, bool is_compound = __is_class(T) || __is_union(T)>
struct __sdt_type {
	enum { size = (static_cast<T>(-1) < static_cast<T>(1) ? -1 : 1) * static_cast<int>(sizeof(T)) };
};
template <typename T>
struct __sdt_type<T, true> {
	enum { size = sizeof(T) };
};
struct __sdt_address {
	enum { size = sizeof(void *) };
};
/* Before C++11 the signs of these types cannot be asked for. */
template <> struct __sdt_type<float> { enum { size = -static_cast<int>(sizeof(float)) }; };
template <> struct __sdt_type<const float> : __sdt_type<float> {};
template <> struct __sdt_type<double> { enum { size = -static_cast<int>(sizeof(double)) }; };
template <> struct __sdt_type<const double> : __sdt_type<double> {};
template <typename T> struct __sdt_type<T *, false> : __sdt_address {};
template <typename T> struct __sdt_type<T *const, false> : __sdt_address {};
template <typename T> struct __sdt_type<T *volatile, false> : __sdt_address {};
template <typename T> struct __sdt_type<T *const volatile, false> : __sdt_address {};
template <typename T> struct __sdt_type<T[], false> : __sdt_address {};
template <typename T, __SIZE_TYPE__ n> struct __sdt_type<T[n], false> : __sdt_address {};
#if __cplusplus >= 201103L
template <typename R, typename... A> struct __sdt_type<R(A...), false> : __sdt_address {};
#endif
}
#define _SDT_SIZE(x) (static_cast<int>(__sdt_type<__typeof__(x)>::size))
#else
/*
 * The classes are those of GCC's typeclass.h: 1 to 4 are integers, characters,
 * enumerations and booleans, 5 pointers and arrays, 8 floating point.
 */
#define _SDT_CLASS(x)	   __builtin_classify_type(x)
#define _SDT_IS_ADDRESS(x) (_SDT_CLASS(x) == 5)
#define _SDT_IS_NUMBER(x)  (_SDT_CLASS(x) < 5 || _SDT_CLASS(x) == 8)
#define _SDT_TYPE(x)	   __typeof__(__builtin_choose_expr(_SDT_IS_NUMBER(x), (x), 0ul))
#define _SDT_SIZE(x)                                       \
	(((_SDT_TYPE(x))-1 < (_SDT_TYPE(x))1 ? -1 : 1) *   \
	 (int)(_SDT_IS_ADDRESS(x) ? sizeof(void *) : sizeof(x)))
#endif

/* Operands are called by name, so that an asm statement may have others. */
#define _SDT_OPERAND(n, x) [_SDT_S##n] "n"(_SDT_SIZE(x)), [_SDT_A##n] _SDT_STR(STAP_SDT_ARG_CONSTRAINT)(x)
#define _SDT_OPERANDS_0()
#define _SDT_OPERANDS_1(a1) _SDT_OPERAND(1, a1)
#define _SDT_OPERANDS_2(a1, a2) _SDT_OPERANDS_1(a1), _SDT_OPERAND(2, a2)
#define _SDT_OPERANDS_3(a1, a2, a3) _SDT_OPERANDS_2(a1, a2), _SDT_OPERAND(3, a3)
#define _SDT_OPERANDS_4(a1, a2, a3, a4) _SDT_OPERANDS_3(a1, a2, a3), _SDT_OPERAND(4, a4)
#define _SDT_OPERANDS_5(a1, a2, a3, a4, a5) _SDT_OPERANDS_4(a1, a2, a3, a4), _SDT_OPERAND(5, a5)
#define _SDT_OPERANDS_6(a1, a2, a3, a4, a5, a6) _SDT_OPERANDS_5(a1, a2, a3, a4, a5), _SDT_OPERAND(6, a6)
#define _SDT_OPERANDS_7(a1, a2, a3, a4, a5, a6, a7) _SDT_OPERANDS_6(a1, a2, a3, a4, a5, a6), _SDT_OPERAND(7, a7)
#define _SDT_OPERANDS_8(a1, a2, a3, a4, a5, a6, a7, a8) _SDT_OPERANDS_7(a1, a2, a3, a4, a5, a6, a7), _SDT_OPERAND(8, a8)
#define _SDT_OPERANDS_9(a1, a2, a3, a4, a5, a6, a7, a8, a9) _SDT_OPERANDS_8(a1, a2, a3, a4, a5, a6, a7, a8), _SDT_OPERAND(9, a9)
#define _SDT_OPERANDS_10(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) _SDT_OPERANDS_9(a1, a2, a3, a4, a5, a6, a7, a8, a9), _SDT_OPERAND(10, a10)
#define _SDT_OPERANDS_11(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) _SDT_OPERANDS_10(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10), _SDT_OPERAND(11, a11)
#define _SDT_OPERANDS_12(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) _SDT_OPERANDS_11(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11), _SDT_OPERAND(12, a12)

/* Templates as strings: no macro of the program can change them. */
#define _SDT_TEXT(n) "%c[_SDT_S" #n "]@%[_SDT_A" #n "]"
#define _SDT_TEXT_0 ""
#define _SDT_TEXT_1 _SDT_TEXT(1)
#define _SDT_TEXT_2 _SDT_TEXT_1 " " _SDT_TEXT(2)
#define _SDT_TEXT_3 _SDT_TEXT_2 " " _SDT_TEXT(3)
#define _SDT_TEXT_4 _SDT_TEXT_3 " " _SDT_TEXT(4)
#define _SDT_TEXT_5 _SDT_TEXT_4 " " _SDT_TEXT(5)
#define _SDT_TEXT_6 _SDT_TEXT_5 " " _SDT_TEXT(6)
#define _SDT_TEXT_7 _SDT_TEXT_6 " " _SDT_TEXT(7)
#define _SDT_TEXT_8 _SDT_TEXT_7 " " _SDT_TEXT(8)
#define _SDT_TEXT_9 _SDT_TEXT_8 " " _SDT_TEXT(9)
#define _SDT_TEXT_10 _SDT_TEXT_9 " " _SDT_TEXT(10)
#define _SDT_TEXT_11 _SDT_TEXT_10 " " _SDT_TEXT(11)
#define _SDT_TEXT_12 _SDT_TEXT_11 " " _SDT_TEXT(12)

/* Templates as words, for STAP_PROBE_ASM. */
#define _SDT_WORDS(n) %c[_SDT_S##n]@%[_SDT_A##n]
#define _SDT_WORDS_0
#define _SDT_WORDS_1 _SDT_WORDS(1)
#define _SDT_WORDS_2 _SDT_WORDS_1 _SDT_WORDS(2)
#define _SDT_WORDS_3 _SDT_WORDS_2 _SDT_WORDS(3)
#define _SDT_WORDS_4 _SDT_WORDS_3 _SDT_WORDS(4)
#define _SDT_WORDS_5 _SDT_WORDS_4 _SDT_WORDS(5)
#define _SDT_WORDS_6 _SDT_WORDS_5 _SDT_WORDS(6)
#define _SDT_WORDS_7 _SDT_WORDS_6 _SDT_WORDS(7)
#define _SDT_WORDS_8 _SDT_WORDS_7 _SDT_WORDS(8)
#define _SDT_WORDS_9 _SDT_WORDS_8 _SDT_WORDS(9)
#define _SDT_WORDS_10 _SDT_WORDS_9 _SDT_WORDS(10)
#define _SDT_WORDS_11 _SDT_WORDS_10 _SDT_WORDS(11)
#define _SDT_WORDS_12 _SDT_WORDS_11 _SDT_WORDS(12)

#define STAP_PROBE_ASM_TEMPLATE(n)	_SDT_WORDS_##n
#define STAP_PROBE_ASM_OPERANDS(n, ...) _SDT_OPERANDS_##n(__VA_ARGS__)

#define _SDT_EMIT(provider, name, n, ...)                                                                         \
	do {                                                                                                      \
		__asm__ __volatile__(_SDT_NOTE(provider, name, "\t.asciz \"" _SDT_TEXT_##n "\"\n")                \
				     : : __VA_ARGS__);                                                            \
	} while (0)
#define _SDT_PROBE_0(provider, name) _SDT_EMIT(provider, name, 0, _SDT_OPERANDS_0())
#define _SDT_PROBE_1(provider, name, a1) _SDT_EMIT(provider, name, 1, _SDT_OPERANDS_1(a1))
#define _SDT_PROBE_2(provider, name, a1, a2) _SDT_EMIT(provider, name, 2, _SDT_OPERANDS_2(a1, a2))
#define _SDT_PROBE_3(provider, name, a1, a2, a3) _SDT_EMIT(provider, name, 3, _SDT_OPERANDS_3(a1, a2, a3))
#define _SDT_PROBE_4(provider, name, a1, a2, a3, a4) _SDT_EMIT(provider, name, 4, _SDT_OPERANDS_4(a1, a2, a3, a4))
#define _SDT_PROBE_5(provider, name, a1, a2, a3, a4, a5) _SDT_EMIT(provider, name, 5, _SDT_OPERANDS_5(a1, a2, a3, a4, a5))
#define _SDT_PROBE_6(provider, name, a1, a2, a3, a4, a5, a6) _SDT_EMIT(provider, name, 6, _SDT_OPERANDS_6(a1, a2, a3, a4, a5, a6))
#define _SDT_PROBE_7(provider, name, a1, a2, a3, a4, a5, a6, a7) _SDT_EMIT(provider, name, 7, _SDT_OPERANDS_7(a1, a2, a3, a4, a5, a6, a7))
#define _SDT_PROBE_8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) _SDT_EMIT(provider, name, 8, _SDT_OPERANDS_8(a1, a2, a3, a4, a5, a6, a7, a8))
#define _SDT_PROBE_9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) _SDT_EMIT(provider, name, 9, _SDT_OPERANDS_9(a1, a2, a3, a4, a5, a6, a7, a8, a9))
#define _SDT_PROBE_10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) _SDT_EMIT(provider, name, 10, _SDT_OPERANDS_10(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10))
#define _SDT_PROBE_11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) _SDT_EMIT(provider, name, 11, _SDT_OPERANDS_11(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11))
#define _SDT_PROBE_12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) _SDT_EMIT(provider, name, 12, _SDT_OPERANDS_12(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12))

#endif

#define STAP_PROBE(provider, name) _SDT_PROBE_0(provider, name)
#define STAP_PROBE1(provider, name, a1) _SDT_PROBE_1(provider, name, a1)
#define STAP_PROBE2(provider, name, a1, a2) _SDT_PROBE_2(provider, name, a1, a2)
#define STAP_PROBE3(provider, name, a1, a2, a3) _SDT_PROBE_3(provider, name, a1, a2, a3)
#define STAP_PROBE4(provider, name, a1, a2, a3, a4) _SDT_PROBE_4(provider, name, a1, a2, a3, a4)
#define STAP_PROBE5(provider, name, a1, a2, a3, a4, a5) _SDT_PROBE_5(provider, name, a1, a2, a3, a4, a5)
#define STAP_PROBE6(provider, name, a1, a2, a3, a4, a5, a6) _SDT_PROBE_6(provider, name, a1, a2, a3, a4, a5, a6)
#define STAP_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7) _SDT_PROBE_7(provider, name, a1, a2, a3, a4, a5, a6, a7)
#define STAP_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) _SDT_PROBE_8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8)
#define STAP_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) _SDT_PROBE_9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9)
#define STAP_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) _SDT_PROBE_10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10)
#define STAP_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) _SDT_PROBE_11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11)
#define STAP_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) _SDT_PROBE_12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12)

#define DTRACE_PROBE(provider, name) _SDT_PROBE_0(provider, name)
#define DTRACE_PROBE1(provider, name, a1) _SDT_PROBE_1(provider, name, a1)
#define DTRACE_PROBE2(provider, name, a1, a2) _SDT_PROBE_2(provider, name, a1, a2)
#define DTRACE_PROBE3(provider, name, a1, a2, a3) _SDT_PROBE_3(provider, name, a1, a2, a3)
#define DTRACE_PROBE4(provider, name, a1, a2, a3, a4) _SDT_PROBE_4(provider, name, a1, a2, a3, a4)
#define DTRACE_PROBE5(provider, name, a1, a2, a3, a4, a5) _SDT_PROBE_5(provider, name, a1, a2, a3, a4, a5)
#define DTRACE_PROBE6(provider, name, a1, a2, a3, a4, a5, a6) _SDT_PROBE_6(provider, name, a1, a2, a3, a4, a5, a6)
#define DTRACE_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7) _SDT_PROBE_7(provider, name, a1, a2, a3, a4, a5, a6, a7)
#define DTRACE_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) _SDT_PROBE_8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8)
#define DTRACE_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) _SDT_PROBE_9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9)
#define DTRACE_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) _SDT_PROBE_10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10)
#define DTRACE_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) _SDT_PROBE_11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11)
#define DTRACE_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) _SDT_PROBE_12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12)

#if defined SDT_USE_VARIADIC || defined __ASSEMBLER__ || (defined __STDC_VERSION__ && __STDC_VERSION__ >= 199901L) || \
	(defined __cplusplus && __cplusplus >= 201103L)
#define _SDT_PICK(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, n, ...) _SDT_PROBE_##n
#define STAP_PROBEV(...)   _SDT_PICK(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0)(__VA_ARGS__)
#define DTRACE_PROBEV(...) STAP_PROBEV(__VA_ARGS__)
#endif

#endif
