package protocols

import (
	"math/rand/v2"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// Proc is one rank as its own program sees it. A Proc belongs to the goroutine that its
// program was started on; its methods must not be called from another one.
//
// All that a machine offers is a method, so that a type that embeds a Proc and changes one call
// (counts sends, say) passes on the rest.
type Proc interface {
	// Rank is this rank's number, from 0 to Size()-1.
	Rank() int
	// Size is the number of ranks, failed ones included.
	Size() int
	// Now is the rank's own clock, in ticks since the start of the run.
	Now() clock.Time

	// Send sends m to another rank, or to this one. It waits until the send port is free
	// and returns after the send overhead. It says nothing about the receiver: a message
	// to a failed rank is lost without notice. A rank that does not exist is a mistake in
	// the program, and Send panics.
	Send(to int, m mailbox.Message)

	// Recv returns the first message that want accepts and its sender, waiting for it
	// without limit. Messages not wanted stay in the mailbox.
	Recv(want mailbox.Want) (from int, m mailbox.Message)
	// RecvUntil is like Recv, but gives up at t. A message whose receive ends at t is
	// still returned. If t has passed it does not wait.
	RecvUntil(want mailbox.Want, t clock.Time) (from int, m mailbox.Message, ok bool)
	// Poll is like Recv, but never waits.
	Poll(want mailbox.Want) (from int, m mailbox.Message, ok bool)
	// WaitUntil returns at t, or at once if t has passed. Messages keep coming in.
	WaitUntil(t clock.Time)
	// Linger is Recv for a rank that has done its own work and stays only to answer others, such
	// as a server in its loop. If nothing can happen any more, the rank has finished, at the time
	// at which it began to wait; in Recv it would be deadlocked. The call does not return then,
	// and deferred functions run as those of a rank that has failed. So it is the last thing that
	// a program does, as often as messages come. A rank that is no initiator may begin with it, as
	// with Recv.
	Linger(want mailbox.Want) (from int, m mailbox.Message)

	// Life is how often the rank has been started before; 0 for one that has not failed. It is
	// all that a program that is started again knows of its former lives. In deferred functions of a rank that has failed it does
	// not return, so whoever notes what a rank has done asks for it first.
	Life() int
	// Detector returns the rank's view of the machine's failure detector, or nil if it has none.
	// DetectorOf is for protocols that cannot do without.
	Detector() Detector
	// Storage returns what the rank has that outlives its program, or nil if the machine offers none.
	// StorageOf is for protocols that cannot do without.
	Storage() Storage

	// Rand is this rank's own random stream, PCG(seed of the run, rank) of math/rand/v2 on
	// every machine. It depends on nothing else.
	Rand() *rand.Rand
	// Step names a point in the program, at which a fault schedule can let the rank fail
	// and a trace shows that it was passed. It takes no time. A schedule can say names of ASCII letters,
	// digits and - _ . / only, so "suspect-3", not "suspect 3".
	Step(name string)
}

// Program is what every rank of a machine runs.
type Program struct {
	// Main is called once on each rank; the rank has finished when it returns.
	Main func(p Proc)

	// Initiators lists the ranks that act of their own accord. They count as coloured
	// from the start. All other ranks must begin with Recv (only Rank, Size, Now and Rand may
	// come before), and a machine may put off starting them until there is something to
	// receive. Nil: every rank may act at once, and none is coloured before its first message.
	Initiators []int

	// KindName names message kinds in traces and diagnoses. Optional.
	KindName func(mailbox.Kind) string
}
