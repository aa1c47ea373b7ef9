// What package mpi needs of MPI, by one thread at a time. Functions that return a number return MPI's error code, 0 if there is none.
#include <stdbool.h>

#include <mpi.h>

// Nobody else's messages get between those of the group.
extern MPI_Comm mangrove_group;

// What processes tell each other for different purposes does not get into each other's way.
enum { batches, messages, cargo };

// one_thread is what mangrove_join returns if the library lets only one and the same thread talk to it.
enum { one_thread = -1 };

int mangrove_join(void);
int mangrove_index(void);
int mangrove_count(void);
int mangrove_min(long long *value);
int mangrove_lengths(long long *out, long long *in);
int mangrove_receive(int from, void *batch, long long length);
int mangrove_send(int to, void *batch, long long length);
int mangrove_wait(void);
int mangrove_post(int to, void *message, int length);
int mangrove_probe(int *from, int *length);
int mangrove_take(int from, void *message, int length);
int mangrove_leave(void);
void mangrove_abort(int status);
void mangrove_text(int code, char *text);

// mangrove_crowd says how many processes of the job and processors there are on this host, and whether they have different shares of them (the number that
// each gives). mangrove_take_turns says what follows: whether to look a few times before others are let have the processor, and how long
// mangrove_yield naps, with 0 it yields.
int mangrove_crowd(long long share, int *processes, int *processors, bool *apart);
void mangrove_take_turns(bool eager, long microseconds);
void mangrove_yield(void);
void mangrove_nap(long microseconds);

int mangrove_carry(int to, void *message, int length);
int mangrove_fetch(int *from, int *length, void **message);
void mangrove_drop(void *message);
int mangrove_farewell(int to);
int mangrove_parted(int to, int *parted);
void mangrove_forget(int to);

int mangrove_bcast(void *buffer, int bytes, int root);
int mangrove_scatter(void *out, void *in, int bytes, int root);
int mangrove_gather(void *out, void *in, int bytes, int root);
int mangrove_allgather(void *out, void *in, int bytes);
int mangrove_alltoall(void *out, void *in, int bytes);
int mangrove_reduce(void *out, void *in, int bytes, int root);
int mangrove_allreduce(void *out, void *in, int bytes);
void mangrove_library(char *text);
