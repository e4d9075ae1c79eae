/* The denial ledger. Pure. */
#include "core/denials.h"

#include <fcntl.h>
#include <linux/prctl.h>
#include <linux/sockios.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "policy/numbers.h"

struct name {
	uint32_t value;
	const char *text;
};

static const struct name families[] = {
    {AF_INET, "AF_INET"},
    {AF_INET6, "AF_INET6"},
    {AF_NETLINK, "AF_NETLINK"},
    {AF_PACKET, "AF_PACKET"},
    {38, "AF_ALG"},
    {40, "AF_VSOCK"},
    {AF_BLUETOOTH, "AF_BLUETOOTH"},
    {AF_CAN, "AF_CAN"},
    {44, "AF_XDP"},
};

/* By how much they would give: the first of several names the row. */
static const struct name namespaces[] = {
    {CLONE_NEWUSER, "CLONE_NEWUSER"},
    {CLONE_NEWNET, "CLONE_NEWNET"},
    {CLONE_NEWPID, "CLONE_NEWPID"},
    {CLONE_NEWNS, "CLONE_NEWNS"},
    {CLONE_NEWIPC, "CLONE_NEWIPC"},
    {CLONE_NEWUTS, "CLONE_NEWUTS"},
    {CLONE_NEWCGROUP, "CLONE_NEWCGROUP"},
};

static const struct name requests[] = {
    {TIOCSTI, "TIOCSTI"},
    {TIOCLINUX, "TIOCLINUX"},
    {FIOSETOWN, "FIOSETOWN"},
    {SIOCSPGRP, "SIOCSPGRP"},
};

static const struct name commands[] = {
    {F_SETOWN, "F_SETOWN"},
    {F_SETOWN_EX, "F_SETOWN_EX"},
    {10, "F_SETSIG"},
};

static const struct name operations[] = {
    {PR_SET_SECCOMP, "PR_SET_SECCOMP"},
    {62, "PR_SCHED_CORE"},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Which argument of which call is looked up in which list, as a value or as bits. */
static const struct {
	int number;
	uint8_t argument;
	bool bits;
	const struct name *list;
	size_t names;
} decoded[] = {
    {SYS_socket, 0, false, families, COUNT(families)},
    {SYS_socketpair, 0, false, families, COUNT(families)},
    {SYS_clone, 0, true, namespaces, COUNT(namespaces)},
    {SYS_unshare, 0, true, namespaces, COUNT(namespaces)},
    {SYS_setns, 1, true, namespaces, COUNT(namespaces)},
    {SYS_ioctl, 1, false, requests, COUNT(requests)},
    {SYS_fcntl, 1, false, commands, COUNT(commands)},
    {SYS_prctl, 0, false, operations, COUNT(operations)},
};

const char *denial_argument(int number, const uint64_t *args)
{
	for (size_t i = 0; i < COUNT(decoded); i++) {
		uint32_t value = (uint32_t)args[decoded[i].argument];
		if (decoded[i].number != number)
			continue;
		for (size_t k = 0; k < decoded[i].names; k++) {
			uint32_t named = decoded[i].list[k].value;
			if (decoded[i].bits ? (value & named) != 0 : value == named)
				return decoded[i].list[k].text;
		}
		return NULL;
	}
	return NULL;
}

static bool is_socket(int number)
{
	return number == SYS_socket || number == SYS_socketpair;
}

/* The row of that call, a new one, or the last, which is for all others. */
static struct denial *row_for(struct ledger *l, int number, const char *arg, uint64_t at_ms)
{
	struct denial *last = &l->row[DENIAL_ROWS - 1];
	bool socket = is_socket(number);

	for (unsigned i = 0; i < l->rows; i++)
		if (l->row[i].number == number && l->row[i].arg == arg)
			return &l->row[i];
	if (number >= 0 && l->rows < DENIAL_ROWS - 1 &&
	    (socket || l->others < DENIAL_ROWS - 1 - DENIAL_SOCKET_ROWS)) {
		l->others += !socket;
		l->row[l->rows] = (struct denial){number, arg, 0, at_ms};
		return &l->row[l->rows++];
	}
	if (last->count == 0)
		*last = (struct denial){-1, NULL, 0, at_ms};
	return last;
}

void ledger_add(struct ledger *l, int number, const uint64_t *args, uint64_t at_ms)
{
	row_for(l, number, denial_argument(number, args), at_ms)->count++;
	l->total++;
}

static void write_row(struct json *j, const struct denial *d)
{
	const char *name = d->number < 0 ? "other" : policy_call_name(d->number);

	json_open_object(j, NULL);
	json_text(j, "call", name ? name : "unknown");
	json_text(j, "arg", d->arg);
	json_number(j, "count", d->count);
	json_number(j, "first_ms", d->first_ms);
	json_close_object(j);
}

void ledger_write(struct json *j, const char *key, const struct ledger *l)
{
	json_open_array(j, key);
	for (unsigned i = 0; i < l->rows; i++)
		write_row(j, &l->row[i]);
	if (l->row[DENIAL_ROWS - 1].count > 0)
		write_row(j, &l->row[DENIAL_ROWS - 1]);
	json_close_array(j);
}
