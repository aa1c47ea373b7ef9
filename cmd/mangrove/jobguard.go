package main

import (
	"sync"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/parts"
)

// guarded is a group that remembers what has gone wrong with it.
type guarded struct {
	parts.Mail
	mu  sync.Mutex
	err error
}

func (g *guarded) note(err error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err == nil {
		g.err = err
	}
	return err
}

// lost is what went wrong first; nil if nothing did.
func (g *guarded) lost() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.err
}

func (g *guarded) Min(t clock.Time) (clock.Time, error) {
	t, err := g.Mail.Min(t)
	return t, g.note(err)
}

func (g *guarded) Exchange(out [][]byte) ([][]byte, error) {
	in, err := g.Mail.Exchange(out)
	return in, g.note(err)
}

func (g *guarded) Send(to int, message []byte) error { return g.note(g.Mail.Send(to, message)) }

func (g *guarded) Receive() (from int, message []byte, err error) {
	from, message, err = g.Mail.Receive()
	return from, message, g.note(err)
}
