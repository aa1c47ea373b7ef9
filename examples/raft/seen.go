package raft

import (
	"fmt"

	etcd "go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
)

// Seen is what a rank has seen in all of its lives. Nobody looks at it but checks, when the run is over.
type Seen struct {
	// Led has each of the rank's times as a leader.
	Led []Led
	// Entries are those that were put into its log, and Applied those that it took for committed, by their index.
	Entries map[Place]Entry
	Applied map[uint64]Applied
	// States says what had become of the application, by the index of what was applied last.
	States map[uint64]uint64
	// Node is that of its last life.
	Node *Node
	// Twice says what it has applied at an index in one life, and something else in another.
	Twice []string
}

// Led is the beginning of a time as a leader: the term, and the terms of the entries of its log that come after the First.
type Led struct {
	Term, First uint64
	Terms       []uint64
}

// Place is where an entry stands: there is one in a term with an index.
type Place struct{ Index, Term uint64 }

// Entry is what it is, and the term of the one before it.
type Entry struct {
	Before  uint64
	Content string
}

// Applied is an entry that was taken for committed, by a rank in a term.
type Applied struct {
	Place
	Content string
	In      uint64
}

// note takes down what a step has led to, before it is stored.
func (s *Seen) note(log *stable, rd *etcd.Ready, term uint64) {
	if rd.SoftState != nil && rd.RaftState == etcd.StateLeader {
		s.leads(log, rd.Entries, term)
	}
	if s.Entries == nil {
		s.Entries = make(map[Place]Entry)
	}
	for i, e := range rd.Entries {
		s.Entries[placeOf(e)] = Entry{termBefore(log, rd, i), content(e)}
	}
}

// termBefore is the term of the entry before the i-th new one.
func termBefore(log *stable, rd *etcd.Ready, i int) uint64 {
	if i > 0 {
		return rd.Entries[i-1].GetTerm()
	}
	if !etcd.IsEmptySnap(rd.Snapshot) {
		return rd.Snapshot.GetMetadata().GetTerm()
	}
	term, err := log.Term(rd.Entries[0].GetIndex() - 1)
	must(err)
	return term
}

// leads notes that the rank is leader now. Entries that are not in its log yet are its own first ones, or were there before.
func (s *Seen) leads(log *stable, entries []*pb.Entry, term uint64) {
	first := log.compacted()
	led := Led{Term: term, First: first}
	for _, e := range log.after(first) {
		if len(entries) == 0 || e.GetIndex() < entries[0].GetIndex() {
			led.Terms = append(led.Terms, e.GetTerm())
		}
	}
	for _, e := range entries {
		led.Terms = append(led.Terms, e.GetTerm())
	}
	s.Led = append(s.Led, led)
}

func (s *Seen) applies(e *pb.Entry, in uint64) {
	if s.Applied == nil {
		s.Applied = make(map[uint64]Applied)
	}
	now := Applied{placeOf(e), content(e), in}
	before, again := s.Applied[e.GetIndex()]
	if again && (before.Place != now.Place || before.Content != now.Content) {
		s.Twice = append(s.Twice, fmt.Sprintf("%v, then %v", before, now))
	}
	if !again {
		s.Applied[e.GetIndex()] = now
	}
}

func placeOf(e *pb.Entry) Place { return Place{e.GetIndex(), e.GetTerm()} }

func content(e *pb.Entry) string {
	if e.GetType() == pb.EntryNormal {
		return string(e.GetData())
	}
	return fmt.Sprintf("%v %x", e.GetType(), e.GetData())
}

func (a Applied) String() string {
	return fmt.Sprintf("%q of term %d at %d", a.Content, a.Term, a.Index)
}
