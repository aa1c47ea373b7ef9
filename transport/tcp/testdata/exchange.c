/* What BenchmarkBesideMPI compares with: two processes of an MPI job exchange messages as those of BenchmarkProcesses do.
 *
 *	exchange round-trip|burst MESSAGES ROUNDS MICROSECONDS
 *
 * The first process prints for each round how many nanoseconds it took. Before each round trip it sleeps for so long, if that is
 * not 0; what it sleeps does not count. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char message[8]; /* as short as one of ours without a payload, whose number has 8 bytes */

static void give(int to) { MPI_Send(message, sizeof message, MPI_BYTE, to, 0, MPI_COMM_WORLD); }

static void take(int from) { MPI_Recv(message, sizeof message, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

static double round_trips(int rank, int messages, int pause) {
	double took = 0;
	for (int i = 0; i < messages; i++) {
		if (rank == 0) {
			if (pause > 0)
				usleep(pause);
			double begin = MPI_Wtime();
			give(1);
			take(1);
			took += MPI_Wtime() - begin;
		} else {
			take(0);
			give(0);
		}
	}
	return took;
}

static double burst(int rank, int messages) {
	double begin = MPI_Wtime();
	for (int i = 0; i < messages; i++)
		rank == 0 ? give(1) : take(0);
	rank == 0 ? take(1) : give(0);
	return MPI_Wtime() - begin;
}

int main(int argc, char **argv) {
	if (argc != 5)
		return 2;
	int trips = strcmp(argv[1], "burst") != 0, messages = atoi(argv[2]), rounds = atoi(argv[3]), pause = atoi(argv[4]), rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	while (rounds-- > 0) {
		double took = trips ? round_trips(rank, messages, pause) : burst(rank, messages);
		if (rank == 0)
			printf("%.0f\n", took * 1e9);
	}
	MPI_Finalize();
	return 0;
}
