/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line. options.def has one row for each option: letter, name, argument, type
 * and help text. commands.def lists the actions that stap does instead of a run.
 * rules.def lists the options that exclude or need each other. The manual page and the
 * completion are checked against them.
 */
#ifndef STAP_OPTIONS_H
#define STAP_OPTIONS_H

#include <stdbool.h>

#include "base/optioncommand.h"
#include "lib/vec.h"
#include "uapi/privilege.h"

struct error;
struct session;

/* The version of SystemTap whose language this is. */
#define SYSTEMTAP_VERSION "5.6"

extern const char *const privilege_names[PRIVILEGE_COUNT];

enum runtime_kind { RUNTIME_KERNEL, RUNTIME_USER, RUNTIME_BPF };

struct definition {
	const char *name, *value;
};
typedef VEC(struct definition) definitions;
typedef VEC(const char *) option_texts;

struct remote_name {
	const char *text;
	bool is_file; /* of --remote-file */
};

struct options {
	enum command_id wanted;	  /* COMMAND_NONE: the script runs */
	const char *wanted_word;  /* its argument, or NULL */
	char **argv;		  /* the command line as it was given */
	int last_pass;		  /* -p: 1…5 */
	unsigned verbose;	  /* -v count */
	bool keep_tmp;		  /* -k */
	bool guru;		  /* -g */
	bool no_warnings;	  /* -w */
	bool warnings_are_errors; /* -W */
	bool unoptimized;	  /* -u */
	bool estimate;		  /* --estimate, which sets last_pass, too */
	bool no_display;	  /* --no-global-var-display */
	bool globals_readable;	  /* --globals */
	int values_fd;		  /* a dialogue's, for the values of its run; 0: none */
	int page_fd;		  /* --page: for values and books at the end; 0: not given */
	int page_hosts_fd;	  /* --page-hosts: stap/remote/hostpage.h; 0: not given */
	bool skip_badvars;	  /* --skip-badvars */
	const char *compatible;	  /* --compatible: a version of SystemTap */
	bool check_version;	  /* notes about names of older kernels are given under -w too */
	enum stp_privilege privilege; /* --privilege: the users who may run the module */
	bool timing;		      /* -t */
	bool strict;		      /* --strict */
	bool suppress_errors;	      /* --suppress-handler-errors */
	bool suppress_time_limits;    /* --suppress-time-limits */
	definitions module_info;      /* --modinfo */
	bool no_cache;		      /* --disable-cache */
	bool poison_cache;	      /* --poison-cache */
	bool sign;		      /* --sign-module */
	const char *sign_key;	      /* --sign-module=KEY[,CERTIFICATE] or NULL */
	/* -r: a release, or a build directory when it starts with '/' */
	const char *release;
	const char *architecture; /* -a; NULL: not given */
	const char *btf;	  /* --btf: a file, or a directory like /sys/kernel/btf */
	/* the machine of --remote takes only signed modules; remote/ sets it */
	bool remote_signs;
	const char *module_name;	 /* -m */
	const char *output;		 /* -o */
	const char *command;		 /* -c */
	long target_pid;		 /* -x, 0: none */
	long seconds;			 /* -T, 0: until the script ends by itself */
	unsigned buffer_mb;		 /* -s, 0: default */
	bool list, list_vars;		 /* -l, -L: the point is in script_text */
	long top_seconds;		 /* --top=SECONDS, or 0 */
	unsigned monitor;		 /* --monitor: seconds, 0: not given */
	const char *example;		 /* --example: becomes script_file */
	option_texts modules;		 /* -d: programs, libraries, modules of the kernel */
	bool ldd;			 /* --ldd: their libraries as well */
	bool no_demangle;		 /* --no-demangle: symbols as they are */
	bool all_modules;		 /* --all-modules */
	bool all_places;		 /* --all-places */
	VEC(struct remote_name) remotes; /* --remote and --remote-file */
	enum { REMOTE_NO_PREFIX, REMOTE_NUMBER, REMOTE_HOST } remote_prefix;
	bool remote_strict;	 /* --remote-strict */
	bool fetch_headers;	 /* --fetch-headers */
	unsigned remote_timeout; /* --remote-timeout, seconds */
	unsigned remote_fanout;	 /* --remote-fanout */
	bool vm;		 /* --vm */
	const char *vm_release;	 /* --vm=RELEASE or NULL */
	unsigned disk_mb;	 /* --disk, 0: none */
	bool network;		 /* --network */
	enum runtime_kind runtime;
	enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } color;
	enum { STACK_TABLES, STACK_FP } stack;
	const char *script_text;     /* -e, or the point of -l/-L; NULL: script_file */
	const char *script_file;     /* "-" is stdin */
	option_texts more_scripts;   /* -E */
	VEC(const char *) args;	     /* script arguments */
	option_texts include_dirs;   /* -I */
	definitions macros;	     /* -D */
	option_texts make_variables; /* -B */
	definitions globals;	     /* -G */
	const char *to;		     /* --to, or NULL */
	VEC(const char *) run_args;  /* passed on to staprun: -S and similar options */
};

/* True: the script's language is that of SystemTap `version` or later (--compatible). */
bool options_speak(const struct session *s, const char *version);

/* Returns the option that chooses the runtime. */
const char *options_runtime(enum runtime_kind runtime);
/* True: an option that is passed on to staprun was given, "-S" or "--json". */
bool options_passed(const struct options *o, const char *option);

/*
 * Applies the option at argv[*at] to parsed options. *at is then the index of its last
 * word, and *name is its name: "--timeout", or "-c" if it has only a letter. Options that
 * request something other than a run are refused.
 */
struct error *options_set(struct session *s, struct options *o, int argc, char **argv, int *at,
			  const char **name);
/* Checks options together, as options_parse() does. */
struct error *options_check(struct session *s, const struct options *o);
/*
 * Returns that name for "T", "-T", "timeout", "--timeout" or a unique beginning of one;
 * NULL: there is no such option.
 */
const char *options_name(struct session *s, const char *word);
/* Returns the long name of each option, by i below options_count(), or NULL. */
size_t options_count(void);
const char *options_long(size_t i);

/*
 * Fills *ret. Errors are ERROR_USAGE, with the text to print. *exit_now is set by -h and
 * -V after printing.
 */
struct error *options_parse(struct session *s, int argc, char **argv, struct options *ret,
			    bool *exit_now);

#endif
