/* SPDX-License-Identifier: GPL-2.0-or-later */
// cflags: -rdynamic
/* Has the variables and structures by which PHP 8.2 and 8.4 keep their stacks. */
#include <stdint.h>
#include <string.h>
#include <unistd.h>

uint64_t executor_globals[100], module_registry[7];

struct text {
	uint64_t head[2], length;
	char letters[40];
};

static uint64_t text_of(struct text *t, const char *letters)
{
	t->length = strlen(letters);
	memcpy(t->letters, letters, t->length);
	return (uintptr_t)t;
}

/* A function: its kind, its name, its class, and where 8.2 and 8.4 have its file. */
static void make_function(uint64_t *f, int kind, uint64_t name, uint64_t class, uint64_t file)
{
	f[0] = (uint64_t)kind;
	f[1] = name;
	f[2] = class;
	f[19] = f[21] = file;
}

/* A frame: where it is, its function, its caller. */
static uint64_t make_frame(uint64_t *frame, const void *opline, const void *function,
			   uint64_t caller)
{
	frame[0] = (uintptr_t)opline;
	frame[3] = (uintptr_t)function;
	frame[6] = caller;
	return (uintptr_t)frame;
}

static void ask(uint32_t api, int is_threaded, uint64_t frame)
{
	static struct {
		uint16_t size;
		uint32_t api;
		uint8_t is_debug, is_threaded;
	} module;
	static uint64_t bucket[4];

	module.api = api;
	module.is_threaded = (uint8_t)is_threaded;
	bucket[0] = (uintptr_t)&module;
	module_registry[2] = api ? (uintptr_t)bucket : 0;
	executor_globals[61] = frame;
	getppid();
}

int main(void)
{
	static struct text file, reply, server, map;
	static uint64_t class[2], functions[3][22], frames[4][10];
	static uint32_t first[8], second[8];
	uint64_t frame;

	first[6] = 30;
	second[6] = 12;
	class[1] = text_of(&server, "App\\Server");
	make_function(functions[0], 2, 0, 0, text_of(&file, "/srv/site/index.php"));
	make_function(functions[1], 1, text_of(&map, "array_map"), 0, 1);
	make_function(functions[2], 2, text_of(&reply, "reply"), (uintptr_t) class,
		      (uintptr_t)&file);
	frame = make_frame(frames[0], first, functions[0], 0);
	frame = make_frame(frames[1], NULL, NULL, frame);
	frame = make_frame(frames[2], NULL, functions[1], frame);
	frame = make_frame(frames[3], second, functions[2], frame);
	ask(0, 0, frame);
	ask(20220829, 0, frame);
	ask(20240924, 0, frame);
	ask(20240924, 0, 0);
	ask(20240924, 1, frame);
	ask(20190902, 0, frame);
	frames[1][6] = (uintptr_t)frames[1];
	ask(20220829, 0, frame);
	return 0;
}
