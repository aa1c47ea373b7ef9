//go:build mpi

package mpi

// #include "talk.h"
import "C"

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unsafe"
)

// native is how an operation of the library is called, and what goes through it: so many blocks out of a process, and in.
type native struct {
	call    func(c *nativeCall) C.int
	out, in func(c *nativeCall) int
	stays   bool // what the root has stays where it is, and comes in elsewhere
	each    bool // what goes to different processes is different
	sums    bool // numbers are added, and their sum comes in
}

// How many blocks a process has.
func one(*nativeCall) int    { return 1 }
func none(*nativeCall) int   { return 0 }
func many(c *nativeCall) int { return c.job.count }
func atRoot(blocks func(*nativeCall) int) func(*nativeCall) int {
	return func(c *nativeCall) int {
		if c.job.index != c.root {
			return 0
		}
		return blocks(c)
	}
}

// natives are those that can be called, by MPI's name for them without MPI_.
var natives = map[string]native{
	"Bcast":     {out: none, in: one, stays: true, call: func(c *nativeCall) C.int { return C.mangrove_bcast(at(c.in), c.bytes, C.int(c.root)) }},
	"Scatter":   {out: atRoot(many), in: one, each: true, call: func(c *nativeCall) C.int { return C.mangrove_scatter(at(c.out), at(c.in), c.bytes, C.int(c.root)) }},
	"Gather":    {out: one, in: atRoot(many), call: func(c *nativeCall) C.int { return C.mangrove_gather(at(c.out), at(c.in), c.bytes, C.int(c.root)) }},
	"Allgather": {out: one, in: many, call: func(c *nativeCall) C.int { return C.mangrove_allgather(at(c.out), at(c.in), c.bytes) }},
	"Alltoall":  {out: many, in: many, each: true, call: func(c *nativeCall) C.int { return C.mangrove_alltoall(at(c.out), at(c.in), c.bytes) }},
	"Reduce":    {out: one, in: atRoot(one), sums: true, call: func(c *nativeCall) C.int { return C.mangrove_reduce(at(c.out), at(c.in), c.bytes, C.int(c.root)) }},
	"Allreduce": {out: one, in: one, sums: true, call: func(c *nativeCall) C.int { return C.mangrove_allreduce(at(c.out), at(c.in), c.bytes) }},
}

// nativeCall is one call of such an operation in this process.
type nativeCall struct {
	native
	job     *job
	root    int
	bytes   C.int
	mark    byte
	out, in []byte
}

// Library is what the MPI library calls itself, with its version.
func (c *Carrier) Library() string {
	var text [C.MPI_MAX_LIBRARY_VERSION_STRING]C.char
	C.mangrove_library(&text[0])
	return libraryName(C.GoString(&text[0]))
}

// libraryName is the first of what a library says about itself: Open MPI v4.1.4, or MPICH 4.0.2.
func libraryName(version string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(version), "\n")
	first, _, _ = strings.Cut(first, ",")
	return strings.Join(strings.Fields(strings.Replace(first, "Version:", "", 1)), " ")
}

// Operations are those that Prepare knows.
func (c *Carrier) Operations() []string { return slices.Sorted(maps.Keys(natives)) }

// Prepare is for a call of an operation of the library itself, such as Bcast, with so many bytes from process to process: do does it, and
// returns when the library does. All processes must call it. wrong then says what is wrong with what came in; "" if nothing is. The mark is to be another one than that of the call before, so
// that what is left of that is not taken for a result.
func (c *Carrier) Prepare(operation string, root, bytes int, mark byte) (do func() error, wrong func() string, err error) {
	n, known := natives[operation]
	switch {
	case !known:
		return nil, nil, fmt.Errorf("mpi: no operation %q, want one of %s", operation, strings.Join(c.Operations(), ", "))
	case root < 0 || root >= c.job.count:
		return nil, nil, fmt.Errorf("mpi: process %d as root, want 0 to %d", root, c.job.count-1)
	case bytes < 0 || bytes > math.MaxInt32 || n.sums && bytes%numberBytes != 0:
		return nil, nil, fmt.Errorf("mpi: %d bytes for %s, want 0 to %d, and whole numbers of %d bytes for sums", bytes, operation, math.MaxInt32, numberBytes)
	}
	call := c.job.prepare(n, root, bytes, mark)
	return call.do, call.wrong, nil
}

func (j *job) prepare(n native, root, bytes int, mark byte) *nativeCall {
	c := &nativeCall{native: n, job: j, root: root, bytes: C.int(bytes), mark: mark}
	c.fill()
	return c
}

// do has the thread of the caller wait in the library: others have nothing to say to it meanwhile.
func (c *nativeCall) do() error {
	c.job.talking.Lock()
	defer c.job.talking.Unlock()
	return check(c.call(c))
}

func at(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }
