//go:build mpi

#define _GNU_SOURCE // cpu_set_t, where there is one

#include <sched.h>
#include <unistd.h>

#include "talk.h"

// on is how many processors there are for the processes of a host, each of which may be bound to some.
static int on(MPI_Comm host, int *processors) {
	*processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
	cpu_set_t own, all;
	CPU_ZERO(&own);
	if (sched_getaffinity(0, sizeof own, &own))
		for (int i = 0; i < *processors && i < CPU_SETSIZE; i++)
			CPU_SET(i, &own);
	int code = MPI_Allreduce(&own, &all, sizeof own, MPI_BYTE, MPI_BOR, host);
	if (code)
		return code;
	*processors = CPU_COUNT(&all);
#endif
	return 0;
}

int mangrove_crowd(long long share, int *processes, int *processors, bool *apart) {
	MPI_Comm host;
	long long own[2] = {share, -share}, least[2];
	int code = MPI_Comm_split_type(mangrove_group, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
	if (code)
		return code;
	if ((code = MPI_Comm_size(host, processes)) || (code = on(host, processors)) ||
	    (code = MPI_Allreduce(own, least, 2, MPI_LONG_LONG, MPI_MIN, host)))
		return code;
	*apart = least[0] != -least[1];
	return MPI_Comm_free(&host);
}
