// What package mpi needs of MPI, by one thread. All functions return MPI's error code, 0 if there is none.
#include <mpi.h>

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
