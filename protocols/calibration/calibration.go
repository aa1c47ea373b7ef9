package calibration

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// The ranks that measure.
const (
	asker    = 0
	answerer = 1
)

// Calibration measures a machine of two or more ranks.
type Calibration struct{ options Options }

// New returns a calibration.
func New(options Options) (*Calibration, error) {
	if err := options.validate(); err != nil {
		return nil, err
	}
	return &Calibration{options}, nil
}

// Program returns the program of all ranks. Rank 0 leaves what it measures in samples as it goes,
// and forgets what was there.
func (c *Calibration) Program(samples *Samples) protocols.Program {
	return protocols.Program{
		Main: func(p protocols.Proc) {
			switch p.Rank() {
			case asker:
				c.measure(p, samples)
			case answerer:
				answer(p)
			default:
				if c.options.Crowd > 0 && p.Size() > crowdOf {
					answer(p)
				}
			}
		},
		KindName: kindName,
	}
}

// answer is the part of all ranks but 0: they answer until it hears that nothing more will come.
func answer(p protocols.Proc) {
	for {
		_, m := p.Recv(mailbox.From(asker))
		switch m.Kind {
		case ping:
			p.Send(asker, mailbox.Message{Kind: pong})
		case burst:
			p.Send(asker, mailbox.Message{Kind: span, A: int64(receiveBurst(p, m.A))})
		case done:
			return
		}
	}
}

// receiveBurst receives what follows the first message of a burst, and returns how long that took.
func receiveBurst(p protocols.Proc, messages int64) clock.Time {
	first := p.Now()
	for range messages - 1 {
		p.Recv(mailbox.From(asker).OfKind(burst))
	}
	return p.Now() - first
}
