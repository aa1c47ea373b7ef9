package emu

import (
	"math"
	"runtime"
	"runtime/debug"
	"sync"
	"unsafe"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/internal/cells"
	"github.com/mangrove-emu/mangrove/internal/hugepages"
)

// The goroutines of a million ranks take gigabytes, and all start within a moment. Left
// to itself, Go takes that memory from the operating system in small pages, and scans all
// stacks again and again for garbage while the heap grows. Both together take longer than
// the run itself. So a large machine prepares the heap:
//
//  1. It has the heap grow by what it will need, marks the new part for huge pages and gives
//     it back. Nothing of it is touched before it is used.
//  2. It keeps a ballast: memory that is never touched, so that it exists in the books
//     only. The garbage collector runs when the heap has doubled; with the ballast in the
//     books that does not happen during a run.

const (
	// largeMachine is the number of ranks from which on this pays.
	largeMachine = 1 << 16
	// middleMachine is the number from which on machines share what is prepared, see prepareProcess.
	middleMachine = 1 << 9
	// sharedHuge is by how much the heap grows for these in huge pages, sharedBallast what a rank of the largest adds to their ballast:
	// about what a rank of a collective operation takes.
	sharedHuge    = 64 << 20
	sharedBallast = 8192
	// goroutineBytes is a little less than what a parked goroutine takes (stack 2048,
	// descriptor 448, channel 112, waiting-list entry 96), so that no huge page stays empty.
	goroutineBytes = 2560
	// rankBytes is what the machine itself keeps for a rank, see layOut.
	rankBytes = int(unsafe.Sizeof(rank{}) + unsafe.Sizeof(location{}) + unsafe.Sizeof(clock.Time(0)) + 2*unsafe.Sizeof(cells.Ref(0)))
	// ballastBytes for each rank are several times what a machine and its run allocate on the
	// heap, apart from stacks: about 900.
	ballastBytes = 4096
	// maxBallast stays below what systems are willing to promise.
	maxBallast = int64(8) << 30
)

// prepareHeap does the above if the machine is large and no memory limit is set, in which
// the ballast would count.
func (m *Machine) prepareHeap() {
	if m.block.Len < largeMachine || limited() {
		return
	}
	m.ballast = make([]byte, min(int64(m.block.Len)*ballastBytes, maxBallast))
	growHeap(m.block.Len * (rankBytes + goroutineBytes))
	runtime.GC() // gives the new part back to the heap, and notes the ballast
}

// prepareProcess does it for machines that are not as large. There may be many such in a process, and memory that was used before would have
// to be cleared for a ballast of each: so there is one for all, which stays.
func prepareProcess(ranks int) {
	if ranks < middleMachine || ranks >= largeMachine || limited() {
		return
	}
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if len(shared.ballast) >= ranks*sharedBallast {
		return
	}
	first := shared.ballast == nil
	shared.ballast = make([]byte, ranks*sharedBallast)
	if first { // afterwards: the ballast would take its place, and be cleared for that
		growHeap(sharedHuge)
	}
	runtime.GC()
}

var shared struct {
	mu      sync.Mutex
	ballast []byte
}

// limited says whether a memory limit is set.
func limited() bool { return debug.SetMemoryLimit(-1) != math.MaxInt64 }

// growHeap has the heap grow by n bytes in huge pages, which are garbage when it returns.
//
//go:noinline
func growHeap(n int) { hugepages.Advise(make([]byte, n)) }
