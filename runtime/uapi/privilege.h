/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Privileges: the one table of who may do what. The translator refuses uses beyond
 * --privilege and writes the level into the module as its mark, modinfo's
 * STP_PRIVILEGE_MARK; staprun lets a user load what the user's group may.
 */
#ifndef STP_UAPI_PRIVILEGE_H
#define STP_UAPI_PRIVILEGE_H

#define STP_PRIVILEGE_MARK "stap_privilege"

/*
 * LEVEL(NAME, group, modules that its members may load), from the least. Each group's
 * members are in stapusr as well.
 *   VOUCHED  modules that root has put into /lib/modules/RELEASE/systemtap, and those
 *            that a trusted key has signed and the mark gives to this level or below
 *   ANY      everything, as root
 */
#define STP_PRIVILEGE_LEVELS(LEVEL)                                                                \
	LEVEL(STAPUSR, "stapusr", VOUCHED)                                                         \
	LEVEL(STAPSYS, "stapsys", VOUCHED)                                                         \
	LEVEL(STAPDEV, "stapdev", ANY)

enum stp_privilege {
#define LEVEL(name, group, load) PRIVILEGE_##name,
	STP_PRIVILEGE_LEVELS(LEVEL)
#undef LEVEL
		PRIVILEGE_COUNT
};

/*
 * REACH(NAME, the least level that may, what messages call it): what a part of a script
 * reaches. Each construct (lang/ops.h), @operator (lang/atops.c), conversion of printf
 * (uapi/printf.def) and function in C (its comment) has one of these words, and none of
 * them compiles without. For STAPUSR the runtime refuses as well: kernel/gate.h.
 */
#define STP_PRIVILEGE_REACHES(REACH)                                                               \
	REACH(NOTHING, STAPUSR, NULL)	  /* beyond the script's values and the hit */             \
	REACH(OWN_PROCESS, STAPUSR, NULL) /* current process; of STAPUSR only its own */           \
	REACH(KERNEL_ADDRESS, STAPSYS, "an address in the kernel")                                 \
	REACH(KERNEL_MEMORY, STAPSYS, "the kernel's memory")                                       \
	REACH(PLAIN_C, STAPSYS, "this embedded C")

/*
 * POINTS(beginning of a point, the least level that may): the first row that fits, whole
 * components. For STAPUSR, points of processes are those of its own (stp_is_meant()).
 */
#define STP_PRIVILEGE_POINTS(POINTS)                                                               \
	POINTS("begin", STAPUSR)                                                                   \
	POINTS("end", STAPUSR)                                                                     \
	POINTS("error", STAPUSR)                                                                   \
	POINTS("never", STAPUSR)                                                                   \
	POINTS("timer.profile", STAPSYS)                                                           \
	POINTS("timer", STAPUSR)                                                                   \
	POINTS("process.data", STAPSYS)                                                            \
	POINTS("process", STAPUSR)                                                                 \
	POINTS("", STAPSYS)

enum stp_privilege_reach {
#define REACH(name, least, what) PRIVILEGE_REACH_##name,
	STP_PRIVILEGE_REACHES(REACH)
#undef REACH
		PRIVILEGE_REACH_COUNT
};

#endif
