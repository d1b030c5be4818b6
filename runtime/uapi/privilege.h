/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Privileges: the only table of the rights of each group. The translator refuses
 * constructs beyond --privilege and writes the level into the module as its mark,
 * modinfo's STP_PRIVILEGE_MARK. staprun lets users load the modules that their group may
 * load.
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
 * REACH(NAME, the least level that may use it, its name in messages): the things that a
 * part of a script accesses. Each construct (lang/ops.h), @operator (lang/atops.c),
 * conversion of printf (uapi/printf.def) and function in C (in its comment) must have one
 * of these words to compile. For STAPUSR the runtime checks as well: kernel/gate.h.
 */
#define STP_PRIVILEGE_REACHES(REACH)                                                               \
	REACH(NOTHING, STAPUSR, NULL)	  /* besides the script's values and the hit */            \
	REACH(OWN_PROCESS, STAPUSR, NULL) /* current process; of STAPUSR only its own */           \
	REACH(KERNEL_ADDRESS, STAPSYS, "an address in the kernel")                                 \
	REACH(KERNEL_MEMORY, STAPSYS, "the kernel's memory")                                       \
	REACH(PLAIN_C, STAPSYS, "this embedded C")

/*
 * POINTS(beginning of a point, the least level that may use it): the first row that
 * matches whole components decides. For STAPUSR, points of processes apply only to the
 * user's own (stp_is_meant()).
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
