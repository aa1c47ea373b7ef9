package gossip

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/correction"
)

// Spread is the kind of gossip messages. It stands before the kinds of the correction, so that
// a rank can wait for all of them and leave others alone.
const Spread = correction.FirstKind - 1

// kindName names the kinds of messages that are sent.
func kindName(k mailbox.Kind) string {
	if k == Spread {
		return "gossip"
	}
	return correction.KindName(k)
}

// Named points, at which a schedule can let ranks fail.
const (
	StepColoured   = "coloured"   // the rank has the message
	StepCorrection = "correction" // the rank, a g-node, begins to correct
)

// Options are the choices that gossip leaves.
type Options struct {
	Root       int
	Correction correction.Correction

	// Until is T: no gossip message is begun at this time or later, counted from the begin.
	// Correction starts L+o after that; with o=1 the last one has been delivered then.
	Until clock.Time
	// Sharp has correction start at T itself, or once the send is over in which T finds a rank, by a
	// clock that all ranks share, as in the Corrected Trees authors' simulator. Gossip that is still
	// under way then reaches ranks, but these do not correct; so if the root fails, it may be that
	// only they have the message. T counts from Begin also if the root comes later; after T it
	// corrects alone.
	Sharp bool
	// Rounds, if not 0, counts rounds instead: the root sends as many messages, and whoever a
	// message of some round reaches sends those of the rounds that are left. Ranks correct as
	// soon as they have done.
	Rounds int
	// Partners says whom a rank sends to. Nil: Random.
	Partners Partners

	// Begin is the instant at which the root begins, and Epoch tells this broadcast's messages
	// from those of others.
	Begin clock.Time
	Epoch uint32
}

// Gossip sends one message from the root to everybody. What the protocol needs travels in the
// message's field A; the payload is the user's.
type Gossip struct {
	Options
	machine clock.LogP
	costs   clock.Costs
	runner  correction.Runner
}

// New returns a gossip on the machine.
func New(machine clock.LogP, o Options) (*Gossip, error) {
	if err := o.validate(machine); err != nil {
		return nil, err
	}
	runner, err := o.Correction.On(correction.Ring{Size: machine.Ranks, Root: o.Root})
	if err != nil {
		return nil, err
	}
	if _, wrapped := runner.(correction.Wrapped); wrapped && o.Sharp {
		return nil, problems.New("gossip", "%v correction at T sharp: ranks that gossip reaches later would not wait for the others", o.Correction)
	}
	if o.Partners == nil {
		o.Partners = Random
	}
	return &Gossip{Options: o, machine: machine, costs: machine.Costs(), runner: runner}, nil
}

// validate says what is wrong with the options on a machine.
func (o *Options) validate(machine clock.LogP) error {
	switch {
	case o.Correction == nil:
		return problems.New("gossip", "want a correction; correction.None corrects nothing")
	case machine.Validate() != nil:
		return problems.New("gossip", "%w", machine.Validate())
	case o.Root < 0 || o.Root >= machine.Ranks:
		return problems.New("gossip", "root = %d, want 0 to %d", o.Root, machine.Ranks-1)
	case o.Until < 0 || o.Until >= clock.Forever:
		return problems.New("gossip", "T = %d ticks, want 0 to %d", o.Until, clock.Forever-1)
	case o.Rounds < 0:
		return problems.New("gossip", "%d rounds, want 0 or more", o.Rounds)
	case o.Rounds > 0 && o.Until > 0:
		return problems.New("gossip", "T = %d ticks and %d rounds, want one of the two", o.Until, o.Rounds)
	case o.Sharp && o.Rounds > 0:
		return problems.New("gossip", "correction at T sharp, and %d rounds, want one of the two", o.Rounds)
	case o.Begin < 0 || o.Begin >= clock.Forever:
		return problems.New("gossip", "begins at t=%d, want 0 to %d", o.Begin, clock.Forever-1)
	}
	return nil
}

// Program returns the gossip of a message as a program of its own.
func (g *Gossip) Program(msg mailbox.Message) protocols.Program {
	return protocols.Program{
		Main:       func(p protocols.Proc) { g.Run(p, msg) },
		Initiators: []int{g.Root},
		KindName:   kindName,
	}
}

// Run does this rank's part. It returns the message that the root has passed in, with this
// gossip's kind and epoch, and when the rank got it; what others pass in does not matter.
func (g *Gossip) Run(p protocols.Proc, msg mailbox.Message) (got mailbox.Message, at clock.Time) {
	from := p.Rank()
	if from == g.Root {
		p.WaitUntil(g.Begin)
		msg.Kind, msg.Epoch, msg.A = Spread, g.Epoch, 0
	} else {
		from, msg = protocols.RecvEpoch(p, mailbox.OfKinds(Spread, correction.LastKind), g.Epoch)
	}
	p.Step(StepColoured)
	at = p.Now()
	switch {
	case correction.IsCorrection(msg.Kind):
		correction.Rest(g.runner, p, from, msg)
		return correction.Open(g.runner, msg, Spread), at
	case g.Sharp && p.Rank() != g.Root && at > g.Begin+g.Until:
		return msg, at // too late to correct
	case g.Rounds > 0:
		g.spreadForRounds(p, msg)
	default:
		g.spreadForTime(p, g.end(p, msg), msg)
	}
	p.Step(StepCorrection)
	g.runner.Run(p, from, msg)
	return msg, at
}
