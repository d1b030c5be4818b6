/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words that the BPF programs and the process that loads them share, besides everything
 * else in the arena. Both are built from the same sources: pointers are the same numbers.
 */
#ifndef STP_BPF_ARENA_H
#define STP_BPF_ARENA_H

#include <stdint.h>

/*
 * The arena: struct bpf_resume, data that only the programs use, their frames, the stack
 * of frames of those that may call themselves; then the data of the process (its linker
 * places them), then the memory that the process allocates.
 */
#define BPF_ARENA_AT   0x10000000u
#define BPF_RESUME_AT  BPF_ARENA_AT
#define BPF_FRAMES_AT  0x16f00000u
#define BPF_STACK_AT   0x17000000u
#define BPF_STACK_END  0x17100000u
#define BPF_PROCESS_AT 0x18000000u
#define BPF_ARENA_END  0x70000000u

/* The result of a program that has paused: it must be run again. */
#define BPF_AGAIN 1

/* The place where a paused program continues. */
struct bpf_resume {
	uint64_t place; /* a number; 0: at the beginning */
	uint64_t frame; /* end of the frame */
	uint64_t registers[10];
};

/*
 * Ended in a loop that was too long for the kernel; in nested calls; at a call of an
 * invalid address.
 */
enum bpf_stuck { BPF_STUCK_LOOP = 1, BPF_STUCK_DEEP, BPF_STUCK_POINTER, BPF_STUCK_NEVER };

enum bpf_want { BPF_WANTS_MEMORY = 1, BPF_WANTS_ROOM }; /* for arrays; in a ring */

/*
 * A hit of a point in the kernel holds the lock, and owns these words: only one handler
 * runs at a time, on any CPU. The program of the point fills the words in and calls the
 * handlers' program, which releases the lock (runtime/user/bpfpoint.c,
 * translator/bpf/mergecalls.c).
 */
enum bpf_hit { BPF_HIT_NONE, BPF_HIT_TIMER, BPF_HIT_EVENT };

/*
 * A point's program is for a hit, for the entry of a return's, or for the return; or for
 * the beginning or the end of a system call.
 */
enum bpf_part {
	BPF_PART_HIT,
	BPF_PART_ENTRY,
	BPF_PART_RETURN,
	BPF_PART_CALL_BEGINS,
	BPF_PART_CALL_ENDS,
	/* Events of processes: calls is the program before, place what each says. */
	BPF_PART_EXEC,	/* the program after it, and BPF_EXEC_OF_TARGET */
	BPF_PART_ENTER, /* the number of the system call */
	BPF_PART_LEAVE, /* its result */
	BPF_PART_EXIT	/* how many threads are left */
};

/*
 * Registers: none, all of them, only those of parameters and results of the kernel, or
 * ARCH_TOLD_REGISTERS alone.
 */
enum bpf_regs { BPF_REGS_NONE, BPF_REGS_ALL, BPF_REGS_VALUES, BPF_REGS_TOLD };

/* The command of -c begins to run: before, it was a copy of the process of the run. */
#define BPF_EXEC_OF_TARGET 256

#define BPF_ALL_TASKS UINT64_MAX

#define BPF_HIT_ARGS 36 /* words: arguments, or registers */

/* Places of members of the kernel's struct task_struct and struct cred. */
struct bpf_layout {
	uint32_t parent, process, name, rights; /* of a task */
	uint32_t user, group;			/* of its rights: the effective ones */
	uint32_t thread, mode;			/* of a task; of its thread: see ARCH_BPF_MODE */
	uint32_t number, flags, execs, memory, files, signal; /* of a task */
	uint32_t program;				      /* of its memory: the file */
	uint32_t inode;					      /* of a file */
	uint32_t table, place; /* of open files; of the table: descriptors */
	uint32_t live, ids;    /* of a process: threads; struct pid * by type */
	uint32_t numbers;      /* of a struct pid */
	uint32_t points;       /* of a task: its breakpoints, struct uprobe_task * */
	uint32_t returns;      /* of these: how many return addresses are replaced */
	uint32_t id, level;    /* of a task: struct pid *; of that: how many numbers follow */
	uint32_t space;	       /* of a number: its namespace */
	uint32_t all;	       /* of a task: the list of processes */
	/* The list of threads of a process; a task's place there. */
	uint32_t threads, thread_place;
	uint32_t groups, group_of;    /* of a task: css_set; of that: struct cgroup * */
	uint32_t depth, groups_above; /* of a control group: how many are above; these */
	uint32_t map_values;	      /* of a map that is an array */
};

#define BPF_LOCK_CPU	0xffff	/* of the lock: 1 + the CPU that runs a hit */
#define BPF_LOCK_WAITS	0x10000 /* the hit may lose the CPU to another task */
#define BPF_LOCK_KEEPS	0x20000 /* the hit keeps the CPU: the thread's number is 0 */
#define BPF_LOCK_THREAD 32	/* bits from there on: the thread's number */

/* A symbol of the kernel. */
struct bpf_symbol {
	uint64_t address;
	uint32_t name, module; /* places in bpf_shared.symbol_text; "": not of a module */
};

#define BPF_SPARES 8

struct bpf_shared {
	uint64_t lock;	/* 0: free */
	uint64_t probe; /* that is hit: struct stp_probe * */
	union {
		struct {
			uint8_t hit;  /* enum bpf_hit: who runs it; not NONE: it cannot pause */
			uint8_t wake; /* the process must be woken when the hit ends */
			uint8_t part; /* enum bpf_part */
			uint8_t regs; /* args are registers: enum bpf_regs */
		};
		uint32_t kind; /* all of these, which a point's program stores at once */
	};
	uint32_t is_slow; /* what the process runs is begin, end or error */
	union {
		struct {
			uint32_t stuck; /* enum bpf_stuck: why a program was ended */
			uint16_t asks;	/* hits must ask stp_hit_is_wanted() */
			uint16_t reads; /* the process reads globals: hits take their locks */
		};
		uint64_t closed; /* 0: a hit of a point with code of its own may run at once */
	};
	/* Process that it is about; 0: the target and its children; or BPF_ALL_TASKS. */
	uint64_t only;
	uint64_t calls;	    /* struct bpf_calls *, of a return; or struct bpf_syscall * */
	uint64_t place;	    /* struct bpf_under_way *, of a system call; 0: there is none */
	uint64_t processes; /* struct bpf_processes * */
	uint64_t grow;	    /* arrays need memory */
	uint64_t args[BPF_HIT_ARGS];
	uint32_t wants;		 /* enum bpf_want: the handler waits for it */
	uint64_t realtime;	 /* of CLOCK_REALTIME, what CLOCK_MONOTONIC lacks */
	int64_t process, parent; /* as in the initial namespace, like the following */
	uint32_t user, user_now, group, group_now; /* real ones, effective ones */
	int64_t session, process_group;
	uint64_t level, space; /* the script's namespace of processes; 0: the initial one */
	uint32_t page;	       /* bytes */
	uint32_t fault;	       /* memory could not be read */
	uint64_t types;	       /* const char **: of each probe, probe_type() */
	struct bpf_layout layout;
	uint64_t symbols, nsymbols; /* struct bpf_symbol *, by address */
	uint64_t symbol_text;	    /* char * */
	/* The run's struct cgroup *, and how many groups are above it; 0: all tasks. */
	uint64_t cgroup, cgroup_depth;
	uint64_t spares[BPF_SPARES]; /* blocks of PORT_SPARE_BYTES; 0: taken */
};
extern struct bpf_shared bpf_shared;

#endif
