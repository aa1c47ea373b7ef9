package kv

import "github.com/mangrove-emu/mangrove/examples/raft"

// store is what is replicated: the values, and what each session was told last. It is the App of raft.
type store struct {
	state
	bugs
	applied func(c *command, answer Answer) // hears of every answer
}

// state is what a snapshot has. Sessions are a part of it: what was applied before it is not to be applied again after it.
type state struct {
	Values   map[string]string
	Sessions map[string]told
}

// told is the last write of a session that was applied, and what came out.
type told struct {
	Number int64
	Answer Answer
}

var _ raft.App = (*store)(nil)

func newStore(b bugs, applied func(*command, Answer)) *store {
	return &store{state{make(map[string]string), make(map[string]told)}, b, applied}
}

// Apply applies a command, unless it was applied before: a client that hears nothing asks again, and both of its messages may get into the log. Numbers that are smaller are of
// requests that the client has given up.
func (s *store) Apply(_ uint64, text string) {
	c := decode[command](text)
	last := s.Sessions[c.Session]
	if s.skips(c.Number <= last.Number) {
		if c.Number == last.Number {
			s.applied(&c, last.Answer)
		}
		return
	}
	value, answer := c.on(s.Values[c.Key])
	if s.Values[c.Key] = value; value == "" {
		delete(s.Values, c.Key)
	}
	s.Sessions[c.Session] = told{c.Number, answer}
	s.applied(&c, answer)
}

// Snapshot and Restore are all of it as text.
func (s *store) Snapshot() string { return encode(s.state) }

// Restore takes over a snapshot. Who waits here for what is in it is told nothing, and asks again.
func (s *store) Restore(snapshot string) { s.state = decode[state](snapshot) }
