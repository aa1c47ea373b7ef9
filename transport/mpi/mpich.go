//go:build mpi && mpich

package mpi

// MPICH's header says of arguments that may be left out that they may not.

// #cgo pkg-config: mpich
// #cgo CFLAGS: -Wno-stringop-overflow
import "C"

const library = mpich
