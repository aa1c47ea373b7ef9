//go:build mpi

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "talk.h"

// Messages of ranks, which may be many, and whose senders and receivers may end at any time. So nothing here waits.

// outgoing is a message that MPI may not have taken yet.
struct outgoing {
	MPI_Request request;
	struct outgoing *next;
	char message[];
};

// lane is what is under way to one process, the oldest first.
struct lane {
	struct outgoing *first, **last;
	int busy; // it is among the busy ones
};

static struct lane *lanes;
static int *busy, busy_count;

// open_lanes makes one for each process.
static int open_lanes(void) {
	int count;
	if (lanes)
		return 0;
	MPI_Comm_size(mangrove_group, &count);
	lanes = calloc(count, sizeof *lanes);
	busy = calloc(count, sizeof *busy);
	if (!lanes || !busy)
		return MPI_ERR_NO_MEM;
	for (int i = 0; i < count; i++)
		lanes[i].last = &lanes[i].first;
	return 0;
}

// tidy frees what MPI has taken, or failed to. It takes messages to one process in order, so that the oldest are looked at only.
static void tidy(void) {
	for (int i = 0; i < busy_count;) {
		struct lane *lane = &lanes[busy[i]];
		while (lane->first) {
			struct outgoing *o = lane->first;
			int done;
			if (!MPI_Test(&o->request, &done, MPI_STATUS_IGNORE) && !done)
				break;
			lane->first = o->next;
			free(o);
		}
		if (lane->first) {
			i++;
			continue;
		}
		lane->last = &lane->first;
		lane->busy = 0;
		busy[i] = busy[--busy_count];
	}
}

// send sends a message; urgent: MPI is done with it only when the receiver has begun to take it.
static int send(int to, void *message, int length, int urgent) {
	int done, code = open_lanes();
	if (code)
		return code;
	struct outgoing *o = malloc(sizeof *o + length);
	if (!o)
		return MPI_ERR_NO_MEM;
	memcpy(o->message, message, length);
	o->next = NULL;
	code = urgent ? MPI_Issend(o->message, length, MPI_BYTE, to, cargo, mangrove_group, &o->request)
	              : MPI_Isend(o->message, length, MPI_BYTE, to, cargo, mangrove_group, &o->request);
	if (code || (code = MPI_Test(&o->request, &done, MPI_STATUS_IGNORE)))
		return code;
	if (done) {
		free(o);
		return 0;
	}
	struct lane *lane = &lanes[to];
	*lane->last = o;
	lane->last = &o->next;
	if (!lane->busy) {
		lane->busy = 1;
		busy[busy_count++] = to;
	}
	return 0;
}

int mangrove_carry(int to, void *message, int length) { return send(to, message, length, 0); }

// mangrove_farewell sends nothing, which arrives after all else.
int mangrove_farewell(int to) { return send(to, "", 0, 1); }

// mangrove_parted says whether all that was sent to a process is there.
int mangrove_parted(int to, int *parted) {
	int code = open_lanes();
	if (code)
		return code;
	tidy();
	*parted = !lanes[to].first;
	return 0;
}

// mangrove_forget gives up what was sent to a process that takes nothing any more. MPI may still look at the messages, so that they stay.
void mangrove_forget(int to) {
	if (open_lanes())
		return;
	lanes[to].first = NULL;
	lanes[to].last = &lanes[to].first;
}

// incoming is a message that is being received, or waits for another one of its sender that is.
struct incoming {
	MPI_Request request;
	int from, length;
	struct incoming *next;
	char message[];
};

static struct incoming *awaited, **last_awaited = &awaited;

// Short messages are there when they are announced. Their senders need not live for that.
enum { shortest = 1024 };
static char small[shortest];

// is_behind says whether a message of that sender is being received.
static int is_behind(int from, struct incoming *until) {
	for (struct incoming *i = awaited; i != until; i = i->next)
		if (i->from == from)
			return 1;
	return 0;
}

// complete looks for a message that has been received.
static int complete(int *from, int *length, void **message) {
	for (struct incoming **at = &awaited; *at; at = &(*at)->next) {
		struct incoming *i = *at;
		int done, code;
		if (is_behind(i->from, i))
			continue;
		if ((code = MPI_Test(&i->request, &done, MPI_STATUS_IGNORE)))
			return code;
		if (!done)
			continue;
		if (last_awaited == &i->next)
			last_awaited = at;
		*at = i->next;
		*from = i->from;
		*length = i->length;
		*message = i->message;
		return 0;
	}
	return 0;
}

// mangrove_fetch takes the next message, to be dropped after use; a sender below 0 if there is none.
int mangrove_fetch(int *from, int *length, void **message) {
	int code = 0;
	tidy();
	*from = -1;
	while (!code) {
		if (awaited && ((code = complete(from, length, message)) || *from >= 0))
			return code;
		int there;
		MPI_Message next;
		MPI_Status status;
		if ((code = MPI_Improbe(MPI_ANY_SOURCE, cargo, mangrove_group, &there, &next, &status)) || !there)
			return code;
		MPI_Get_count(&status, MPI_BYTE, length);
		if (*length == 0) { // a farewell
			code = MPI_Mrecv(small, 0, MPI_BYTE, &next, MPI_STATUS_IGNORE);
			continue;
		}
		if (*length <= shortest && !is_behind(status.MPI_SOURCE, NULL)) {
			*from = status.MPI_SOURCE;
			*message = small;
			return MPI_Mrecv(small, *length, MPI_BYTE, &next, MPI_STATUS_IGNORE);
		}
		struct incoming *i = malloc(sizeof *i + *length);
		if (!i)
			return MPI_ERR_NO_MEM;
		i->from = status.MPI_SOURCE;
		i->length = *length;
		i->next = NULL;
		code = MPI_Imrecv(i->message, *length, MPI_BYTE, &next, &i->request);
		*last_awaited = i;
		last_awaited = &i->next;
	}
	return code;
}

void mangrove_drop(void *message) {
	if (message != small)
		free((char *)message - offsetof(struct incoming, message));
}
