package cryptorand

import (
	"crypto/rand"
	"io"

	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/statemachine"
)

// Use has this goroutine read the rank's random stream wherever it reads crypto/rand.Reader, until it calls what is returned. It is called on the goroutine of
// the rank, once in each of its lives.
func Use(p protocols.Proc) (end func()) {
	id := goroutine()
	ranks.change(func(of map[string]io.Reader) { of[id] = statemachine.Reader(p) })
	return func() { ranks.change(func(of map[string]io.Reader) { delete(of, id) }) }
}

// ranks are those that draw from their own streams.
var ranks = newTable()

func init() { rand.Reader = dispatcher{rand.Reader} }

// dispatcher is in the place of crypto/rand.Reader.
type dispatcher struct{ others io.Reader }

func (d dispatcher) Read(b []byte) (int, error) {
	if own := ranks.find(); own != nil {
		return own.Read(b)
	}
	return d.others.Read(b)
}
