package statemachine

import (
	"encoding/binary"
	"io"
	random "math/rand"

	"github.com/mangrove-emu/mangrove/protocols"
)

// Reader returns a rank's random stream as bytes, of which there is no end. They are no secret, for the seed of the run says what they are.
func Reader(p protocols.Proc) io.Reader { return reader{p} }

type reader struct{ p protocols.Proc }

// Read fills b with whole numbers of the stream, of which the last one may be cut off.
func (r reader) Read(b []byte) (int, error) {
	stream := r.p.Rand()
	var word [8]byte
	for rest := b; len(rest) > 0; {
		binary.LittleEndian.PutUint64(word[:], stream.Uint64())
		rest = rest[copy(rest, word[:]):]
	}
	return len(b), nil
}

// Source returns a rank's random stream as a source of math/rand, for libraries which take a *rand.Rand of that package. For one of math/rand/v2 there is p.Rand().
// To seed it changes nothing: it is the run that says what its random numbers are.
func Source(p protocols.Proc) random.Source64 { return source{p} }

type source struct{ p protocols.Proc }

func (s source) Uint64() uint64 { return s.p.Rand().Uint64() }
func (s source) Int63() int64   { return int64(s.Uint64() >> 1) }
func (s source) Seed(int64)     {}
