package command

import (
	"sync"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/parts"
)

// guarded is a group that remembers what has gone wrong with it, and does nothing more then: the others may not be where they should.
type guarded struct {
	parts.Mail
	mu  sync.Mutex
	err error
}

// lost is what went wrong first; nil if nothing did.
func (g *guarded) lost() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.err
}

// try does something with the group, unless it is lost.
func (g *guarded) try(do func() error) error {
	if err := g.lost(); err != nil {
		return err
	}
	err := do()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err == nil {
		g.err = err
	}
	return err
}

func (g *guarded) Min(t clock.Time) (least clock.Time, err error) {
	err = g.try(func() error {
		least, err = g.Mail.Min(t)
		return err
	})
	return least, err
}

func (g *guarded) Exchange(out [][]byte) (in [][]byte, err error) {
	err = g.try(func() error {
		in, err = g.Mail.Exchange(out)
		return err
	})
	return in, err
}

func (g *guarded) Send(to int, message []byte) error {
	return g.try(func() error { return g.Mail.Send(to, message) })
}

func (g *guarded) Receive() (from int, message []byte, err error) {
	err = g.try(func() error {
		from, message, err = g.Mail.Receive()
		return err
	})
	return from, message, err
}
