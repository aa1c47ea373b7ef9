package statemachine_test

import (
	"strconv"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/statemachine"
)

// tally is a counter that only grows, of which each rank counts a part: one more with each tick. Ranks tell the next one what they know of all.
type tally struct {
	rank   int
	counts []int // by rank
	told   bool
	ticks  int // until the end; 0: no end
}

// newTally goes on with what its rank has stored.
func newTally(p protocols.Proc) *tally {
	t := &tally{rank: p.Rank(), counts: make([]int, p.Size()), told: true}
	if s := p.Storage(); s != nil {
		stored, _ := s.Read("own")
		t.counts[t.rank], _ = strconv.Atoi(stored)
	}
	return t
}

func (t *tally) Tick() {
	t.counts[t.rank]++
	t.ticks--
	t.told = false
}

func (t *tally) Step(_ int, m mailbox.Message) {
	for rank := range t.counts {
		t.counts[rank] = max(t.counts[rank], int(m.Payload[rank]))
	}
}

func (t *tally) Ready() (statemachine.Ready, bool) {
	known := make([]byte, len(t.counts))
	for rank, count := range t.counts {
		known[rank] = byte(count)
	}
	own := strconv.Itoa(t.counts[t.rank])
	return statemachine.Ready{
		Write:  []statemachine.Record{{Name: "own", Value: own}, {Name: "at" + own, Value: "a note"}},
		Sync:   true,
		Send:   []statemachine.Letter{{To: (t.rank + 1) % len(t.counts), Message: mailbox.Message{Payload: string(known)}}},
		Forget: []string{"at" + strconv.Itoa(t.counts[t.rank]-1)},
		Stop:   t.ticks == 0,
	}, !t.told
}

func (t *tally) Advance() { t.told = true }
