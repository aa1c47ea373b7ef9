package protocols

import (
	"errors"

	"github.com/mangrove-emu/mangrove/mailbox"
)

// Lingering is a Proc of a machine that can tell when a run is over. What wraps a Proc should
// pass it on.
type Lingering interface {
	Proc
	// Linger is Recv for a rank that has done its own work and stays only to answer others. If
	// nothing can happen any more, the rank has finished, at the time at which it began to wait;
	// in Recv it would be deadlocked. The call does not return then, and deferred functions run
	// as those of a rank that has failed. So it is the last thing that a program does, as often
	// as messages come. A rank that is no initiator may begin with it, as with Recv.
	Linger(want mailbox.Want) (from int, m mailbox.Message)
}

// ErrNoLinger is what Linger panics with on a machine that does not offer it.
var ErrNoLinger = errors.New("protocols: the machine cannot tell when a run is over, so nobody can linger on it")

// Lingers reports whether ranks of this machine can linger.
func Lingers(p Proc) bool {
	_, ok := p.(Lingering)
	return ok
}

// Linger waits for a message as [Lingering] says. On a machine that does not offer it, which
// Lingers tells, it panics.
func Linger(p Proc, want mailbox.Want) (from int, m mailbox.Message) {
	l, ok := p.(Lingering)
	if !ok {
		panic(ErrNoLinger)
	}
	return l.Linger(want)
}
