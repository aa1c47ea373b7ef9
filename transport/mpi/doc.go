// Package mpi lets the processes of an MPI job run an emulator together: [Join] makes them the parts of a machine (package emu/parts).
// Or they are a machine themselves, of package tcp, and [Carrier] takes messages of ranks from process to process.
//
//	mpirun -n 4 mangrove run broadcast P=16777216
//	mpirun -n 4 mangrove join broadcast
//
// It is there only in programs built for it, as it needs cgo and an MPI library. Which one, the build says:
//
//	go build -tags mpi ./cmd/mangrove           # Open MPI
//	go build -tags 'mpi mpich' ./cmd/mangrove   # MPICH
//
// Without the tag nothing of it is compiled; [Join] then says how to build it if the program was started by mpirun.
//
// # How processes talk
//
// One thread of each process talks to MPI for the parts of an emulator, whoever asks. It looks for messages again and again, as MPI does, but lets others have the
// processor if that takes long: there may be more processes than processors.
//
// A carrier is in more of a hurry: whoever sends talks to MPI itself, one at a time, and a goroutine looks for messages all the time. None of its calls waits, since others may end at any time.
//
// [Watch] makes each process of a job two, so that somebody can tell when one is lost.
//
// A batch that is larger than MPI can count is sent in pieces. Whatever MPI calls an error is one of [parts.Group], after which nothing
// can be agreed on: the run ends with it. Most often there is none to be seen, as mpirun ends all processes when one has died.
package mpi
