/* SPDX-License-Identifier: GPL-2.0-or-later */
// cflags: -rdynamic
/* Has the variables and structures by which Ruby 3.1 keeps its stacks. */
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define STRING	0x5ul
#define ARRAY	0x7ul
#define OUTSIDE 0x2000ul /* of a string: its letters are elsewhere; of an array: they are not */
#define METHOD	0x11110001ul
#define C_CODE	0x55550001ul
#define NOBODY	0x79990001ul

__thread uint64_t *ruby_current_ec;
int ruby_api_version[3];

struct frame {
	uint64_t pc, sp, code, self, environment, rest[3];
};

static uint64_t short_text(uint64_t *text, const char *letters)
{
	text[0] = STRING | strlen(letters) << 14;
	memcpy(text + 2, letters, strlen(letters));
	return (uintptr_t)text;
}

static uint64_t long_text(uint64_t *text, const char *letters)
{
	text[0] = STRING | OUTSIDE;
	text[2] = strlen(letters);
	text[3] = (uintptr_t)letters;
	return (uintptr_t)text;
}

/* Code: its path, its name and its first line. */
static uint64_t make_code(uint64_t *code, uint64_t path, uint64_t name, uint64_t line)
{
	static uint64_t bodies[3][12];
	static int n;

	code[2] = (uintptr_t)bodies[n];
	bodies[n][8] = path;
	bodies[n][10] = name;
	bodies[n++][11] = line << 1 | 1;
	return (uintptr_t)code;
}

static void ask(int minor, uint64_t *context)
{
	ruby_api_version[0] = 3;
	ruby_api_version[1] = minor;
	ruby_current_ec = context;
	getppid();
}

int main(void)
{
	static uint64_t codes[2][3], texts[3][5], array[5],
		kinds[] = { METHOD, C_CODE, METHOD, NOBODY };
	static struct frame frames[120];
	uint64_t context[3] = { 0, 0, (uintptr_t)frames };

	array[0] = ARRAY | OUTSIDE;
	array[2] = array[3] = long_text(texts[0], "/srv/site/a_rather_long_name.rb");
	for (int i = 0; i < 120; i++)
		frames[i].sp = (uintptr_t)(frames - i);
	for (int i = 0; i < 4; i++)
		frames[i].environment = (uintptr_t)&kinds[i];
	frames[0].pc = frames[2].pc = 1;
	frames[0].code =
		make_code(codes[0], (uintptr_t)array, short_text(texts[1], "block in reply"), 12);
	frames[2].code = make_code(codes[1], texts[0][3] ? (uintptr_t)texts[0] : 0,
				   short_text(texts[2], "<main>"), 1);
	ask(1, NULL);
	ask(1, context);
	ask(3, context);
	frames[3].sp = frames[2].sp; /* beyond the stack */
	ask(1, context);
	frames[3].sp--;
	frames[2].pc = 0;
	for (int i = 3; i < 120; i++)
		frames[i].environment = (uintptr_t)&kinds[1];
	ask(1, context);
	return 0;
}
