package broadcast

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// Named points of a broadcast, at which a schedule can let ranks fail.
const (
	StepColoured   = "coloured"   // the rank has the message
	StepCorrection = "correction" // the rank begins to correct
)

// Options are the choices that a broadcast leaves. A tree and a correction are needed; the
// rest describes how they go together.
type Options struct {
	Tree       tree.Tree
	Correction correction.Correction

	// Overlapped lets each rank correct as soon as it has sent its last message down the
	// tree. Otherwise correction is synchronized: it starts on all ranks at the instant at
	// which the tree has reached everybody if nobody has failed (Corrected Trees, 3.3).
	Overlapped bool
	// EarlyRest keeps ranks out of an overlapped correction that were first reached by it:
	// they send down the tree and have done.
	EarlyRest bool
	// Chain opens the ring between the root and the rank before it.
	Chain bool

	// Begin is the instant at which the root begins, and Epoch tells this broadcast's
	// messages from those of others. Ranks take part in one broadcast after the other, in
	// the order of their epochs.
	Begin clock.Time
	Epoch uint32
}

// Broadcast sends one message from the root of a tree to everybody.
type Broadcast struct {
	Options
	runner          correction.Runner
	correctionStart clock.Time // if synchronized
	longest         clock.Time // from Begin until all have done, if nobody is late
	// coloured is called on every rank that gets the message. Optional.
	coloured func(p protocols.Proc, epoch uint32)
}

// New returns a broadcast on the machine.
func New(machine clock.LogP, o Options) (*Broadcast, error) {
	if err := o.validate(machine); err != nil {
		return nil, err
	}
	runner, err := o.bind(machine.Ranks)
	if err != nil {
		return nil, err
	}
	b := &Broadcast{Options: o, runner: runner}
	latency := tree.Latency(o.Tree, machine)
	if latency >= clock.Forever {
		return nil, problems.New("broadcast", "the tree takes %d ticks or more; want lower costs, fewer ranks or a flatter tree", clock.Forever)
	}
	if !o.Overlapped {
		b.correctionStart = o.Begin + latency
	}
	b.longest = latency + runner.Longest(machine)
	return b, nil
}

// validate says what is wrong with the options on a machine.
func (o *Options) validate(machine clock.LogP) error {
	switch {
	case o.Tree == nil || o.Correction == nil:
		return problems.New("broadcast", "want a tree and a correction")
	case machine.Validate() != nil:
		return problems.New("broadcast", "%w", machine.Validate())
	case o.Tree.Size() != machine.Ranks:
		return problems.New("broadcast", "the tree has %d ranks, the machine %d", o.Tree.Size(), machine.Ranks)
	case o.Begin < 0 || o.Begin >= clock.Forever:
		return problems.New("broadcast", "begins at t=%d, want 0 to %d", o.Begin, clock.Forever-1)
	}
	return nil
}

// bind ties the correction to its ring, or acknowledgements to the tree.
func (o *Options) bind(ranks int) (correction.Runner, error) {
	if _, ok := o.Correction.(Acknowledge); ok {
		return &acknowledgeOver{o.Tree}, nil
	}
	return o.Correction.On(correction.Ring{Size: ranks, Chain: o.Chain, Root: o.Tree.Root()})
}

// Longest is how long the broadcast can take on its machine from its begin until all ranks
// have done, if no rank is late for it and ranks fail beforehand only.
func (b *Broadcast) Longest() clock.Time { return b.longest }

// CorrectionStart is when all ranks begin to correct; 0 if the broadcast is overlapped.
func (b *Broadcast) CorrectionStart() clock.Time { return b.correctionStart }

// Program returns the broadcast of a message as a program of its own.
func (b *Broadcast) Program(msg mailbox.Message) protocols.Program {
	return protocols.Program{
		Main:       func(p protocols.Proc) { b.Run(p, msg) },
		Initiators: []int{b.Tree.Root()},
		KindName:   KindName,
	}
}

// Run does this rank's part. It returns the message that the root has passed in, with this
// broadcast's kind and epoch, and when the rank got it; what others pass in does not matter.
//
// A rank may wait in any of the calls below, and all that is kept meanwhile takes up a part
// of its small stack: hence one function, and one copy of the message.
func (b *Broadcast) Run(p protocols.Proc, msg mailbox.Message) (got mailbox.Message, at clock.Time) {
	from := p.Rank()
	if from == b.Tree.Root() {
		p.WaitUntil(b.Begin)
		msg.Kind, msg.Epoch = Down, b.Epoch
	} else {
		from, msg = protocols.RecvEpoch(p, mailbox.OfKinds(Down, correction.LastKind), b.Epoch)
	}
	p.Step(StepColoured)
	at = p.Now()
	if b.coloured != nil {
		b.coloured(p, b.Epoch)
	}
	early := correction.IsCorrection(msg.Kind)
	if !early || b.Overlapped {
		b.disseminate(p, msg)
	}
	if early && (b.EarlyRest || !b.Overlapped) {
		correction.Rest(b.runner, p, from, msg)
		return b.open(msg), at
	}
	p.WaitUntil(b.correctionStart)
	p.Step(StepCorrection)
	b.runner.Run(p, from, msg)
	return b.open(msg), at
}

// open returns the message as the root has sent it. It stays out of frames in which a rank waits.
//
//go:noinline
func (b *Broadcast) open(msg mailbox.Message) mailbox.Message {
	return correction.Open(b.runner, msg, Down)
}

// disseminate sends the message to the rank's children.
func (b *Broadcast) disseminate(p protocols.Proc, msg mailbox.Message) {
	msg = b.open(msg)
	for i := 0; ; i++ {
		child, ok := b.Tree.Child(p.Rank(), i)
		if !ok {
			return
		}
		p.Send(child, msg)
	}
}
