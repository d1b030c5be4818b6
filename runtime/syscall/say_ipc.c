/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System V queues, semaphores and memory; keys; message queues. */
#include "syscall/syscall.h"

static void show_ipc_key(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	if (v)
		say_hex(s, (uint32_t)v);
	else
		say(s, "IPC_PRIVATE");
}
KIND(ipc_key, INT, show_ipc_key, NULL);

static void say_get(struct stp_shown *s, const struct stp_names *names, uint32_t v)
{
	if (v & ~0777u) {
		say_flags(s, names, v & ~0777u);
		say(s, "|");
	}
	say_octal(s, v & 0777);
}

static void show_ipc_get(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_get(s, k->data, (uint32_t)v);
}
KIND(ipc_get, INT, show_ipc_get, &stp_names_ipc_get);
KIND(shm_get, INT, show_ipc_get, &stp_names_shm_get);

static void show_ipc_cmd(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	if (v & 0x100)
		say(s, "IPC_64|");
	say_name(s, k->data, (uint32_t)v & ~0x100u);
}
KIND(msg_cmd, INT, show_ipc_cmd, &stp_names_ipc_cmd);
KIND(sem_cmd, INT, show_ipc_cmd, &stp_names_sem_cmd);
KIND(shm_cmd, INT, show_ipc_cmd, &stp_names_shm_cmd);
KIND(msg_rcv, INT, show_flags, &stp_names_msg_rcv);
KIND(msg_snd, INT, show_flags, &stp_names_ipc_get);

/* A message: its type, then its text. */
static void say_message_buffer(struct stp_shown *s, uint64_t addr, uint64_t len)
{
	unsigned word = s->narrow ? 4 : 8;
	int64_t type = 0;

	if (!addr || !call_peek(addr, &type, word)) {
		say_pointer(s, addr);
		return;
	}
	say(s, "{mtype=");
	stp_text_signed(&s->text, s->narrow ? (int32_t)type : type);
	say(s, ", mtext=");
	say_bytes(s, addr + word, len, 32);
	say(s, "}");
}

static void show_msgbuf(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_message_buffer(s, v, k->is_out ? (uint64_t)s->result : s->args[2]);
}
KIND(msgbuf, ULONG, show_msgbuf, NULL);
KIND_OUT(msgbuf_out, show_msgbuf, NULL);

static void say_sembuf(struct stp_shown *s, const uint8_t *bytes, const void *data)
{
	int16_t b[3];

	memcpy(b, bytes, sizeof(b));
	say(s, "{sem_num=");
	stp_text_unsigned(&s->text, (uint16_t)b[0]);
	say(s, ", sem_op=");
	stp_text_signed(&s->text, b[1]);
	say(s, ", sem_flg=");
	say_flags(s, &stp_names_sem_flags, (uint16_t)b[2]);
	say(s, "}");
}

static void show_sembufs(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_array(s, v, (uint32_t)s->args[2], 6, say_sembuf, NULL);
}
KIND(sembufs, ULONG, show_sembufs, NULL);

/* Shows the last argument of semctl: a number to set, otherwise an address. */
static void show_sem_arg(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	uint32_t cmd = (uint32_t)s->args[2] & ~0x100u;

	if (cmd == 16)
		stp_text_signed(&s->text, (int32_t)v);
	else
		say_pointer(s, v);
}
KIND(sem_arg, ULONG, show_sem_arg, NULL);

/* ---- keys ---- */

static void show_key(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	if ((int32_t)v < 0)
		say_name(s, &stp_names_key_special, (uint32_t)v);
	else
		stp_text_signed(&s->text, (int32_t)v);
}
KIND(key, INT, show_key, NULL);

enum {
	GET_KEYRING_ID = 0,
	JOIN_SESSION = 1,
	REVOKE = 3,
	DESCRIBE = 6,
	CLEAR_RING = 7,
	LINK_KEY = 8,
	UNLINK = 9,
	SEARCH_RING = 10,
	READ_KEY = 11,
	INVALIDATE = 21
};

static void say_keyctl(struct stp_shown *s, uint32_t op)
{
	say(s, ", ");
	switch (op) {
	case JOIN_SESSION:
		say_string(s, s->args[1], 32);
		return;
	case REVOKE:
	case CLEAR_RING:
	case INVALIDATE:
		show_key(s, NULL, s->args[1]);
		return;
	case GET_KEYRING_ID:
		show_key(s, NULL, s->args[1]);
		say(s, ", ");
		stp_text_signed(&s->text, (int32_t)s->args[2]);
		return;
	case LINK_KEY:
	case UNLINK:
		show_key(s, NULL, s->args[1]);
		say(s, ", ");
		show_key(s, NULL, s->args[2]);
		return;
	case SEARCH_RING:
		show_key(s, NULL, s->args[1]);
		say(s, ", ");
		say_string(s, s->args[2], 32);
		say(s, ", ");
		say_string(s, s->args[3], 32);
		say(s, ", ");
		show_key(s, NULL, s->args[4]);
		return;
	case DESCRIBE:
	case READ_KEY:
		show_key(s, NULL, s->args[1]);
		say(s, ", ");
		if (s->is_return && !s->failed && s->args[2])
			say_bytes(s, s->args[2], (uint64_t)s->result - (op == DESCRIBE), 64);
		else
			say_pointer(s, s->args[2]);
		say(s, ", ");
		stp_text_unsigned(&s->text, s->args[3]);
		return;
	}
	for (unsigned i = 1; i < 5; i++) {
		if (i > 1)
			say(s, ", ");
		show_hex(s, NULL, s->args[i]);
	}
}

static void show_keyctl(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_name(s, &stp_names_keyctl, (uint32_t)v);
	say_keyctl(s, (uint32_t)v);
	s->ends = true;
}
KIND(keyctl, INT, show_keyctl, NULL);

/* ---- POSIX message queues ---- */

LAYOUT(mq_attr, 32, 16, false, { "mq_flags", &stp_kind_hex, { 0, 0 }, { 8, 4 } },
       { "mq_maxmsg", &stp_kind_long, { 8, 4 }, { 8, 4 }, true },
       { "mq_msgsize", &stp_kind_long, { 16, 8 }, { 8, 4 }, true },
       { "mq_curmsgs", &stp_kind_long, { 24, 12 }, { 8, 4 }, true });

/* Shows the attributes; only a call that creates a queue has them. */
static void show_mq_open_attr(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	if (s->args[1] & 0100)
		say_struct(s, k->data, v);
}
KIND(mq_open_attr, ULONG, show_mq_open_attr, &mq_attr_layout);
KIND(mq_attr, ULONG, show_struct, &mq_attr_layout);
KIND_OUT(mq_attr_out, show_struct, &mq_attr_layout);
