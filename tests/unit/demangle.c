/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols of Rust, of both manglings, become names; damaged ones stay as they are. */
#include "unit.h"

#include "lib/punycode.c"
#include "lib/rustname.c"
#include "lib/rustv0.c"

struct name {
	const char *symbol, *name; /* NULL: it is not of Rust */
};

static void check(const struct name *all, size_t n)
{
	char text[RUSTNAME_SIZE];

	for (size_t i = 0; i < n; i++) {
		bool ok = rustname_demangle(all[i].symbol, text);

		if (ok == !all[i].name)
			printf("%s: %s\n", all[i].symbol, ok ? text : "no name");
		CHECK(ok == !!all[i].name);
		if (ok && all[i].name)
			CHECK_TEXT(text, all[i].name);
	}
}

#define CHECK_ALL(all) check(all, sizeof(all) / sizeof(all[0]))

/* Symbols that rustc 1.95 has made of a program, and of its library. */
static void older(void)
{
	static const struct name all[] = {
		{ "_ZN1r4leaf17h472736079f6caf42E", "r::leaf" },
		{ "_ZN1r4leaf17h472736079f6caf42E.llvm.1234", "r::leaf" },
		{ "_ZN1r4leaf17h472736079f6caf42E.cold", "r::leaf.cold" },
		{ "_ZN1r7generic17hc9165aa3ae69cc5fE", "r::generic" },
		{ "_ZN35_$LT$r..A$u20$as$u20$r..Handler$GT$6handle17h0123456789abcdefE",
		  "<r::A as r::Handler>::handle" },
		{ "_ZN1r4main28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE",
		  "r::main::{{closure}}" },
		{ "_ZN55_$LT$$RF$$u5b$T$u3b$$u20$8$u5d$$C$$BP$U$SP$$LP$$RP$$GT$"
		  "1f17h0123456789abcdefE",
		  "<&[T; 8],*U@()>::f" },
		{ "_ZN3a.b17h0123456789abcdefE", "a.b" },
		/* names of C++ and damaged ones */
		{ "_ZN4shop5Order5totalEi", NULL },
		{ "_ZN4shop5OrderE", NULL },
		{ "_ZN17h0123456789abcdefE", NULL },
		{ "_ZN1r17h0123456789ABCDEFE", NULL },
		{ "_ZN1r16h0123456789abcdeE", NULL },
		{ "_ZN1r17h0123456789abcdef", NULL },
		{ "_ZN1r17h0123456789abcdefEv", NULL },
		{ "_ZN1r17h0123", NULL },
		{ "_ZN99999r17h0123456789abcdefE", NULL },
		{ "_ZN4$XX$17h0123456789abcdefE", NULL },
		{ "_ZN6$u110$17h0123456789abcdefE", "\xc4\x90" },
		{ "_ZN4$u7$17h0123456789abcdefE", NULL },
		{ "_ZN3$LT17h0123456789abcdefE", NULL },
		{ "_ZN", NULL },
		{ "", NULL },
		{ "main", NULL },
	};

	CHECK_ALL(all);
}

static void newer(void)
{
	static const struct name all[] = {
		{ "_RNvCs6GmmlP4bgsG_1r4leaf", "r::leaf" },
		{ "_RNvCs6GmmlP4bgsG_1r4leaf.llvm.99", "r::leaf" },
		{ "_RNvCs6GmmlP4bgsG_1r4leaf.cold.1", "r::leaf.cold.1" },
		{ "_RINvCs6GmmlP4bgsG_1r7genericNtB2_4KindEB2_", "r::generic::<r::Kind>" },
		{ "_RINvCs6GmmlP4bgsG_1r7genericyEB2_", "r::generic::<u64>" },
		{ "_RNvMs_Cs6GmmlP4bgsG_1rNtB4_1A6create", "<r::A>::create" },
		{ "_RNvXCs6GmmlP4bgsG_1rNtB2_1ANtB2_7Handler6handle",
		  "<r::A as r::Handler>::handle" },
		{ "_RNCINvNtCsjrHSEGnQ3l9_3std2rt10lang_startuE0Cs6GmmlP4bgsG_1r",
		  "std::rt::lang_start::<()>::{closure#0}" },
		{ "_RNSNvYNCINvNtCsjrHSEGnQ3l9_3std2rt10lang_startuE0INtNtNtCsgEmfK2I1SDS_"
		  "4core3ops8function6FnOnceuE9call_once6vtableCs6GmmlP4bgsG_1r",
		  "<std::rt::lang_start<()>::{closure#0} as "
		  "core::ops::function::FnOnce<()>>::call_once::{shim:vtable#0}" },
		{ "_RINvNtNtCsjrHSEGnQ3l9_3std3sys9backtrace28___rust_begin_short_backtrace"
		  "FEuuECs6GmmlP4bgsG_1r",
		  "std::sys::backtrace::__rust_begin_short_backtrace::<fn(), ()>" },
		{ "_RNvMs4_NtCslNYArtu3iFV_5alloc7raw_vecINtB5_11RawVecInner"
		  "NtNtCsjrHSEGnQ3l9_3std5alloc6SystemE14grow_amortizedBW_",
		  "<alloc::raw_vec::RawVecInner<std::alloc::System>>::grow_amortized" },
	};

	CHECK_ALL(all);
}

/* Each production of the grammar. */
static void grammar(void)
{
	static const struct name all[] = {
		{ "_RNCNCNvC1r1fs_0s0_0", "r::f::{closure#1}::{closure#2}" },
		{ "_RNCNvC1r1f3foo", "r::f::{closure:foo#0}" },
		{ "_RNZNvC1r1fs_3foo", "r::f::{Z:foo#1}" },
		{ "_RINvC1r1fAhj8_E", "r::f::<[u8; 8]>" },
		{ "_RINvC1r1fShReQmPsOtE", "r::f::<[u8], &str, &mut u32, *const i16, *mut u16>" },
		{ "_RINvC1r1fTETbETbcEE", "r::f::<(), (bool,), (bool, char)>" },
		{ "_RINvC1r1fadfijlnoxvzpE",
		  "r::f::<i8, f64, f32, isize, usize, i32, i128, u128, i64, ..., !, _>" },
		{ "_RINvC1r1fFUKCyEmE", "r::f::<unsafe extern \"C\" fn(u64) -> u32>" },
		{ "_RINvC1r1fFK16C_cmse_nonsecureEuE", "r::f::<extern \"C-cmse-nonsecure\" fn()>" },
		{ "_RINvC1r1fFG_RL0_hEuE", "r::f::<for<'a> fn(&'a u8)>" },
		{ "_RINvC1r1fFG0_RL1_hRL0_hEuE", "r::f::<for<'a, 'b> fn(&'a u8, &'b u8)>" },
		{ "_RINvC1r1fL_RL_hE", "r::f::<'_, &u8>" },
		{ "_RINvC1r1fDNtC1r1TEL_E", "r::f::<dyn r::T>" },
		{ "_RINvC1r1fDINtC1r1TyeENtC1r1SEL_E", "r::f::<dyn r::T<u64, str> + r::S>" },
		{ "_RINvC1r1fDINtC1r1TyEp4ItemhNtC1r1SEL_E",
		  "r::f::<dyn r::T<u64, Item = u8> + r::S>" },
		{ "_RINvC1r1fDNtC1r1Tp4ItemhEL_E", "r::f::<dyn r::T<Item = u8>>" },
		{ "_RINvC1r1fKj10_Kln2_Kb1_Kc22_KpE", "r::f::<16, -2, true, '\"', _>" },
		{ "_RINvC1r1fKc27_Kc5c_Kca_E", "r::f::<'\\'', '\\\\', '\\u{a}'>" },
		{ "_RINvC1r1fKo123456789abcdef01_E", "r::f::<0x123456789abcdef01>" },
		{ "_RINvC1r1fKj0000000000000000000000000000000000000001_E", "r::f::<1>" },
		{ "_RNvC1r8_9numeric", "r::9numeric" },
		{ "_RNvCs_1ru8gdel_5qa", "r::g\xc3\xb6"
					 "del" },
		{ "_RNvC1ru6_rda2e", NULL },
		{ "_RNqC1r1f", "r::f" },
	};

	CHECK_ALL(all);
}

static void damaged(void)
{
	static const struct name all[] = {
		{ "_R", NULL },
		{ "_Read", NULL },
		{ "_RC", NULL },
		{ "_R1NvC1r1f", NULL }, /* another version */
		{ "_RNvC1r9f", NULL },	/* behind the end */
		{ "_RNvC1r01f", NULL }, /* numbers begin with no zero */
		{ "_RNvB_1f", NULL },	/* leads to itself */
		{ "_RNvBz_1f", NULL },	/* leads forward */
		{ "_RNvBzzzzzzzzzzzzzzzzz_1f", NULL },
		{ "_RNvC1r1fX", NULL }, /* not a crate */
		{ "_RNvC1r1f!", NULL },
		{ "_RNvC1r1f$x", NULL },     /* not a suffix */
		{ "_RINvC1r1fKe1_E", NULL }, /* not a type of constants */
		{ "_RINvC1r1fKj1E", NULL },
		{ "_RINvC1r1fL0_E", NULL }, /* nothing binds it */
		{ "_RINvC1r1fFGzz_EuE", NULL },
		{ "_RINvC1r1fy", NULL },
		{ "_RNvC1ru3_!!", NULL },
		{ "_RNvC1ru9zzzzzzzzz", NULL },
		{ "_RN", NULL },
		{ "_RNv", NULL },
		{ "_RIC1r", NULL },
	};

	CHECK_ALL(all);
}

/* Writes a reference to the place in a symbol. */
static int put_reference(char *to, size_t place)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t n = place - 2 - 1; /* counted from behind "_R"; "_" is 0, "0_" is 1 */

	return n < 62 ? sprintf(to, "B%c_", digits[n])
		      : sprintf(to, "B%c%c_", digits[n / 62], digits[n % 62]);
}

/* Makes f::<(u64, u64), (A, A), (B, B), …>, where each letter is the type before. */
static void make_doubling(char *symbol, unsigned times)
{
	size_t at = (size_t)sprintf(symbol, "_RINvC1r1fTyyE"), last = strlen("_RINvC1r1f");

	while (times--) {
		size_t here = at;

		symbol[at++] = 'T';
		at += (size_t)put_reference(symbol + at, last);
		at += (size_t)put_reference(symbol + at, last);
		symbol[at++] = 'E';
		last = here;
	}
	strcpy(symbol + at, "E");
}

/* Recursion, and texts that double at each step, end. */
static void bounds(void)
{
	char symbol[3000], text[RUSTNAME_SIZE];

	memcpy(symbol, "_RINvC1r1f", 10);
	memset(symbol + 10, 'S', 2000);
	strcpy(symbol + 2010, "yE");
	CHECK(!rustname_demangle(symbol, text));
	strcpy(symbol + 110, "yE");
	CHECK(rustname_demangle(symbol, text));
	make_doubling(symbol, 1);
	CHECK(rustname_demangle(symbol, text));
	CHECK_TEXT(text, "r::f::<(u64, u64), ((u64, u64), (u64, u64))>");
	make_doubling(symbol, 60);
	CHECK(!rustname_demangle(symbol, text));
	CHECK(strlen(text) < RUSTNAME_SIZE);
}

/* No bytes lead outside: the sanitizers look. */
static void garbage(void)
{
	static const char letters[] = "NvCtINMXYBSATFDGKLUEpRQs_0123u.e!.$n";
	char symbol[48], text[RUSTNAME_SIZE];
	unsigned good = 0;

	for (int round = 0; round < 200000; round++) {
		size_t len = unit_random() % (sizeof(symbol) - 12);
		int at = sprintf(symbol, round % 2 ? "_RINvC1r1f" : round % 3 ? "_R" : "_ZN");

		for (size_t i = 0; i < len; i++)
			symbol[at++] = letters[unit_random() % (sizeof(letters) - 1)];
		symbol[at] = 0;
		good += rustname_demangle(symbol, text);
		CHECK(strlen(text) < RUSTNAME_SIZE);
	}
	CHECK(good > 100);
}

int main(void)
{
	RUN(older);
	RUN(newer);
	RUN(grammar);
	RUN(damaged);
	RUN(bounds);
	RUN(garbage);
	return unit_end();
}
