//go:build mpi

#include "talk.h"

// Operations of the library itself, all of whose processes call them.

int mangrove_bcast(void *buffer, int bytes, int root) { return MPI_Bcast(buffer, bytes, MPI_BYTE, root, mangrove_group); }

int mangrove_scatter(void *out, void *in, int bytes, int root) {
	return MPI_Scatter(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, root, mangrove_group);
}

int mangrove_gather(void *out, void *in, int bytes, int root) {
	return MPI_Gather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, root, mangrove_group);
}

int mangrove_allgather(void *out, void *in, int bytes) {
	return MPI_Allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, mangrove_group);
}

int mangrove_alltoall(void *out, void *in, int bytes) {
	return MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, mangrove_group);
}

int mangrove_reduce(void *out, void *in, int bytes, int root) {
	return MPI_Reduce(out, in, bytes / 8, MPI_LONG_LONG, MPI_SUM, root, mangrove_group);
}

int mangrove_allreduce(void *out, void *in, int bytes) {
	return MPI_Allreduce(out, in, bytes / 8, MPI_LONG_LONG, MPI_SUM, mangrove_group);
}

// mangrove_library writes what the library calls itself; text has room for MPI_MAX_LIBRARY_VERSION_STRING.
void mangrove_library(char *text) {
	int length;
	MPI_Get_library_version(text, &length);
}
