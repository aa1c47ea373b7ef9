//go:build mpi

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "talk.h"

#define group mangrove_group

MPI_Comm group;

// Transfers under way.
static MPI_Request *requests;
static int pending, room;

// MPI counts in ints.
static const long long piece = 1LL << 30;

int mangrove_join(void) {
	int provided, joined, code;
	MPI_Initialized(&joined);
	code = joined ? MPI_Query_thread(&provided) : MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
	if (code)
		return code;
	if (provided < MPI_THREAD_SERIALIZED)
		return one_thread;
	if ((code = MPI_Comm_dup(MPI_COMM_WORLD, &group)))
		return code;
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	return MPI_Comm_set_errhandler(group, MPI_ERRORS_RETURN);
}

int mangrove_index(void) {
	int index;
	MPI_Comm_rank(group, &index);
	return index;
}

int mangrove_count(void) {
	int count;
	MPI_Comm_size(group, &count);
	return count;
}

static bool eager; // to look a few times before others are let have the processor
static long turn;  // to nap where to yield is not enough

void mangrove_take_turns(bool is_eager, long microseconds) {
	eager = is_eager;
	turn = microseconds;
}

void mangrove_yield(void) {
	if (turn)
		mangrove_nap(turn);
	else
		sched_yield();
}

void mangrove_nap(long microseconds) {
	struct timespec moment = {0, 1000 * microseconds};
#ifdef __linux__
	static _Thread_local int punctual;
	if (!punctual) { // else it wakes us up to 50 us later
		prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
		punctual = 1;
	}
#endif
	nanosleep(&moment, NULL);
}

// lay_off lets others have the processor: not at first, as most often there is not long to wait, unless all must take turns; then whenever
// they want it, and then in any case.
static void lay_off(int looked) {
	if (looked < 1000 && eager)
		return;
	if (looked < 10000)
		mangrove_yield();
	else
		mangrove_nap(50);
}

// finish waits for all transfers.
static int finish(int count, MPI_Request *all) {
	int done = 0, code = 0;
	for (int looked = 0; !done; looked++) {
		if ((code = MPI_Testall(count, all, &done, MPI_STATUSES_IGNORE)))
			return code;
		if (!done)
			lay_off(looked);
	}
	return 0;
}

int mangrove_min(long long *value) {
	long long own = *value;
	MPI_Request request;
	int code = MPI_Iallreduce(&own, value, 1, MPI_LONG_LONG, MPI_MIN, group, &request);
	return code ? code : finish(1, &request);
}

int mangrove_lengths(long long *out, long long *in) {
	MPI_Request request;
	int code = MPI_Ialltoall(out, 1, MPI_LONG_LONG, in, 1, MPI_LONG_LONG, group, &request);
	return code ? code : finish(1, &request);
}

// next is where the next transfer goes.
static MPI_Request *next(void) {
	if (pending == room) {
		room = room ? 2 * room : 64;
		requests = realloc(requests, room * sizeof *requests);
	}
	return &requests[pending++];
}

int mangrove_receive(int from, void *batch, long long length) {
	for (char *at = batch; length > 0; at += piece, length -= piece) {
		int code = MPI_Irecv(at, (int)(length < piece ? length : piece), MPI_BYTE, from, batches, group, next());
		if (code)
			return code;
	}
	return 0;
}

int mangrove_send(int to, void *batch, long long length) {
	for (char *at = batch; length > 0; at += piece, length -= piece) {
		int code = MPI_Isend(at, (int)(length < piece ? length : piece), MPI_BYTE, to, batches, group, next());
		if (code)
			return code;
	}
	return 0;
}

int mangrove_wait(void) {
	int code = finish(pending, requests);
	pending = 0;
	return code;
}

// Messages that were sent are kept until MPI has taken them.
static struct sent {
	MPI_Request request;
	void *message;
	struct sent *next;
} *posted;

// forget frees what MPI has taken.
static int forget(void) {
	for (struct sent **at = &posted; *at;) {
		struct sent *s = *at;
		int done, code = MPI_Test(&s->request, &done, MPI_STATUS_IGNORE);
		if (code)
			return code;
		if (!done) {
			at = &s->next;
			continue;
		}
		*at = s->next;
		free(s->message);
		free(s);
	}
	return 0;
}

int mangrove_post(int to, void *message, int length) {
	int code = forget();
	struct sent *s = malloc(sizeof *s);
	if (code || !s)
		return code ? code : MPI_ERR_NO_MEM;
	s->message = malloc(length + 1);
	if (!s->message) {
		free(s);
		return MPI_ERR_NO_MEM;
	}
	memcpy(s->message, message, length);
	if ((code = MPI_Isend(s->message, length, MPI_BYTE, to, messages, group, &s->request)))
		return code;
	s->next = posted;
	posted = s;
	return 0;
}

// mangrove_probe says of whom and how long the next message is; a sender below 0 if there is none.
int mangrove_probe(int *from, int *length) {
	int there, code = forget();
	MPI_Status status;
	*from = -1;
	if (code || (code = MPI_Iprobe(MPI_ANY_SOURCE, messages, group, &there, &status)) || !there)
		return code;
	*from = status.MPI_SOURCE;
	return MPI_Get_count(&status, MPI_BYTE, length);
}

int mangrove_take(int from, void *message, int length) {
	return MPI_Recv(message, length, MPI_BYTE, from, messages, group, MPI_STATUS_IGNORE);
}

int mangrove_leave(void) {
	MPI_Comm_free(&group);
	return MPI_Finalize();
}

void mangrove_abort(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

void mangrove_text(int code, char *text) {
	int length;
	if (MPI_Error_string(code, text, &length))
		*text = 0;
}
