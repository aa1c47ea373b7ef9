package scale

import "time"

// All that was measured, November 2026, on two cores of a virtual machine that shares them with others, and the commands. What a busy machine
// takes longer for says nothing, so of several runs the quickest counts.

// Measured is what things cost:
//
//	go test -run '^$' -bench . -benchtime 3x -count 8 ./internal/scale
//	mangrove run broadcast P=262144        # bytes a rank
var Measured = Costs{Tree: 2640 * time.Nanosecond, Correction: 2360 * time.Nanosecond, Letter: 103 * time.Nanosecond, Memory: 3310}

// SharedMemory and Loopback are between two processes of one host, by Open MPI. Half of what an exchange takes in
//
//	mpirun -n 2 --bind-to none [--mca btl tcp,self] mangrove run broadcast P=2 repeat=500 --workers 1 --windows
//
// is the latency; the bandwidth is that of the exchanges of
//
//	mpirun -n 2 --bind-to none [--mca btl tcp,self] mangrove run broadcast P=65536 --workers 1 --windows
//
// With two processes, latency and time for each other process cannot be told apart.
var (
	SharedMemory = Network{Name: "shared memory", Latency: 10 * time.Microsecond, Bandwidth: 0.18e9}
	Loopback     = Network{Name: "TCP on one host", Latency: 20 * time.Microsecond, Bandwidth: 0.2e9}
)

// Ethernet and InfiniBand are not measured, but assumed: between hosts there is nothing here.
var (
	Ethernet   = Network{Name: "TCP, 10 Gbit/s", Latency: 40 * time.Microsecond, Peer: 5 * time.Microsecond, Bandwidth: 1.1e9}
	InfiniBand = Network{Name: "InfiniBand, 100 Gbit/s", Latency: 15 * time.Microsecond, Peer: time.Microsecond, Bandwidth: 10e9}
)

// Observation is how long a job took.
type Observation struct {
	Job
	Took time.Duration
}

// Observed are broadcasts on this host, in which all processes share two cores and talk through shared memory; the quickest of eight, by turns:
//
//	mpirun -n 2 --oversubscribe --bind-to none mangrove run broadcast P=65536 --workers 1
var Observed = []Observation{
	{here(14, 0, 1), 63300 * time.Microsecond},
	{here(14, 0, 2), 43100 * time.Microsecond},
	{here(14, 1, 1), 53300 * time.Microsecond},
	{here(14, 2, 1), 55500 * time.Microsecond},
	{here(16, 0, 1), 291 * time.Millisecond},
	{here(16, 0, 2), 180 * time.Millisecond},
	{here(16, 1, 1), 193 * time.Millisecond},
	{here(16, 2, 1), 178 * time.Millisecond},
}

// here is a job of 2^q processes on this host.
func here(levels, q, workers int) Job {
	return Job{Levels: levels, Q: q, PerHost: 1 << q, Workers: workers, Cores: 2}
}
