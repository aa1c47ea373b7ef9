package correction

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Kinds of correction messages. The numbers leave room for the dissemination's own kinds.
const (
	Leftward  mailbox.Kind = 100 // goes to a lower place on the ring
	Rightward mailbox.Kind = 101 // goes to a higher place on the ring
	SOS       mailbox.Kind = 102 // goes to everybody: whoever gets it passes it on to all
)

// FirstKind and LastKind enclose all kinds of correction messages.
const (
	FirstKind = Leftward
	LastKind  = SOS
)

var kindNames = map[mailbox.Kind]string{Leftward: "left", Rightward: "right", SOS: "sos"}

// KindName names the kinds of correction messages, and answers "" for others.
func KindName(k mailbox.Kind) string { return kindNames[k] }

// IsCorrection reports whether a message is a correction and not dissemination.
func IsCorrection(k mailbox.Kind) bool { return FirstKind <= k && k <= LastKind }

// Correction is one way to correct.
type Correction interface {
	// On returns the correction on a ring, or says why it does not go with that.
	On(ring Ring) (Runner, error)
	// String names the correction as in a run line.
	String() string
}

// Runner is a correction on its ring.
type Runner interface {
	// Run does the part of a rank that takes part in the correction: it sends msg to
	// neighbours on the ring. The rank got msg from the given rank, as a correction if its
	// kind says so; the one who started has got it from itself. Correction messages of the
	// same epoch that are in the mailbox or come in meanwhile are received, as far as the
	// correction cares.
	//
	// It has as many arguments as Go passes in registers: a rank's stack is small.
	Run(p protocols.Proc, from int, msg mailbox.Message)
	// Longest is how long the correction can take on the machine from the instant at which
	// all ranks start it, until the last message is received and the last rank has done.
	Longest(machine clock.LogP) clock.Time
}

// Wrapped is a Runner whose messages carry more than what is to be spread, and which
// concerns ranks that take no part, too.
type Wrapped interface {
	Runner
	// Open returns the message inside a correction message, as it was before Run sent it.
	Open(msg mailbox.Message) mailbox.Message
	// Reached does the part of a rank that the dissemination has missed, and that the
	// correction message msg has reached.
	Reached(p protocols.Proc, from int, msg mailbox.Message)
}

// Rest does the part of a rank that a correction message has reached and that takes no part in
// the correction.
func Rest(r Runner, p protocols.Proc, from int, msg mailbox.Message) {
	if wrapped, ok := r.(Wrapped); ok {
		wrapped.Reached(p, from, msg)
	}
}

// Open returns the message that is spread, of that kind, whether msg is a correction message or
// not.
func Open(r Runner, msg mailbox.Message, kind mailbox.Kind) mailbox.Message {
	if IsCorrection(msg.Kind) {
		if wrapped, ok := r.(Wrapped); ok {
			msg = wrapped.Open(msg)
		}
		msg.Kind = kind
	}
	return msg
}

// None corrects nothing: whom the dissemination misses stays without the message.
type None struct{}

// String names the correction.
func (None) String() string { return "none" }

// On goes with any ring.
func (n None) On(Ring) (Runner, error) { return n, nil }

// Longest is no time.
func (None) Longest(clock.LogP) clock.Time { return 0 }

// Run does nothing.
func (None) Run(protocols.Proc, int, mailbox.Message) {}

// hear takes one correction message that is there already, dropping late ones of earlier
// epochs. Later ones are left in the mailbox.
func hear(p protocols.Proc, epoch uint32) (from int, m mailbox.Message, ok bool) {
	for {
		from, m, ok = p.Poll(mailbox.OfKinds(FirstKind, LastKind).UpTo(epoch))
		if !ok || m.Epoch == epoch {
			return from, m, ok
		}
	}
}
