package kv

import (
	"slices"

	etcd "go.etcd.io/raft/v3"

	"github.com/mangrove-emu/mangrove/examples/raft"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/statemachine"
	"github.com/mangrove-emu/mangrove/protocols/statemachine/cryptorand"
)

// Messages between clients and servers.
const (
	ask    = raft.FirstKind + iota // a command
	answer                         // with the life and the number of what was asked
)

// server is a node of raft that answers clients, any of them: whatever must go to the leader the library passes on.
type server struct {
	*raft.Node
	rank  int
	store *store
	asked map[string]question // by the name of the command
	reads []etcd.ReadState    // that are granted, and wait for the log
	bugs
}

// question is a message of a client that is to be answered.
type question struct {
	from int
	m    mailbox.Message
}

// serve is the program of a server.
func serve(p protocols.Proc, plan *Plan) {
	defer cryptorand.Use(p)()
	s := &server{rank: p.Rank(), asked: make(map[string]question), bugs: plan.bugs}
	s.store = newStore(plan.bugs, s.answer)
	s.Node = raft.NewNode(p, s.store, plan.raft())
	if p.Rank() == 0 && p.Life() == 0 {
		must(s.Raft.Campaign()) // so that nobody has to wait for a time-out in each run
	}
	statemachine.Run(p, s, statemachine.Options{Every: raft.Tick, Until: plan.Until})
}

// Step takes in what clients ask. If there is no leader that is known here, the question is lost, and the client asks again.
func (s *server) Step(from int, m mailbox.Message) {
	if m.Kind != ask {
		s.Node.Step(from, m)
		return
	}
	c := decode[command](m.Payload)
	s.asked[c.name()] = question{from, m}
	leader, known := s.Leader()
	switch {
	case c.Op != Get:
		_ = s.Propose(m.Payload)
	case s.alone(known && leader == s.rank):
		s.read(&c)
	default:
		s.Raft.ReadIndex([]byte(m.Payload))
	}
}

// Advance applies what is committed. A read may be answered when all is applied that was committed when it was granted.
func (s *server) Advance() {
	s.Node.Advance()
	s.reads = append(s.reads, s.ReadStates()...)
	s.reads = slices.DeleteFunc(s.reads, func(granted etcd.ReadState) bool {
		if granted.Index > s.Applied() {
			return false
		}
		c := decode[command](string(granted.RequestCtx))
		s.read(&c)
		return true
	})
}

// read answers a read from what this rank knows.
func (s *server) read(c *command) {
	_, found := c.on(s.store.Values[c.Key])
	s.answer(c, found)
}

// answer tells a client, if it has asked here.
func (s *server) answer(c *command, found Answer) {
	if q, waits := s.asked[c.name()]; waits {
		delete(s.asked, c.name())
		s.Send(q.from, mailbox.Message{Kind: answer, Epoch: q.m.Epoch, A: q.m.A, Payload: encode(found)})
	}
}
