// Package fidelity says how well the emulator predicts a machine: the same lines on both, and the
// ratios of what they took.
//
// [Lines] are twenty broadcasts: trees of four kinds, 2 to 64 ranks, payloads up to a megabyte. Each is a
// series, of which the median counts. [Compare] runs them on the emulator, with the parameters of a machine file,
// and several times on the machine, each with processes of its own where that can be had. A ratio is that of the
// machine to the emulator. It is the median of those runs, and its interval goes from the lowest to the
// highest; what is not known about the parameters is not part of it.
//
// The machine is a function, so that there may be several: processes over TCP, or a job of MPI.
package fidelity
