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
#define STP_PRIVILEGE_LEVELS(LEVEL)        \
	LEVEL(STAPUSR, "stapusr", VOUCHED) \
	LEVEL(STAPSYS, "stapsys", VOUCHED) \
	LEVEL(STAPDEV, "stapdev", ANY)

enum stp_privilege {
#define LEVEL(name, group, load) PRIVILEGE_##name,
	STP_PRIVILEGE_LEVELS(LEVEL)
#undef LEVEL
	PRIVILEGE_COUNT
};

/* USE(NAME, the least level that may): things that scripts may use. */
#define STP_PRIVILEGE_USES(USE)                                                                    \
	USE(PLAIN_C, STAPSYS) /* functions in C without a mark */                                  \
	USE(OWN_C, STAPUSR)   /* … myproc-unprivileged: STAPUSR's fail in others' processes */   \
	USE(KERNEL_MEMORY, STAPSYS) /* through types: $variables, @cast and their like */          \
	USE(GURU, STAPDEV)	    /* -g: C in scripts, writing to the probed code's data */

/*
 * POINTS(beginning of a point, the least level that may): the first row that fits, whole
 * components. For STAPUSR, points of processes are those of its own (stp_is_meant()).
 */
#define STP_PRIVILEGE_POINTS(POINTS)      \
	POINTS("begin", STAPUSR)          \
	POINTS("end", STAPUSR)            \
	POINTS("error", STAPUSR)          \
	POINTS("never", STAPUSR)          \
	POINTS("timer.profile", STAPSYS)  \
	POINTS("timer", STAPUSR)          \
	POINTS("process.data", STAPSYS)   \
	POINTS("process", STAPUSR)        \
	POINTS("", STAPSYS)

enum stp_privilege_use {
#define USE(name, least) PRIVILEGE_USE_##name,
	STP_PRIVILEGE_USES(USE)
#undef USE
	PRIVILEGE_USE_COUNT
};

#endif
