package emu

import (
	"cmp"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/splitmix"
)

// detectionDomain keeps what detectors draw apart from other streams made of the same seed.
const detectionDomain = 0x6465746563740000 // "detect"

// Lag draws by how much longer than Delay it takes until an observer knows that a rank has failed, from 0 to Spread, all
// equally likely. It follows from the seed of the run, from both ranks and from how often the one that failed had been
// started before, and from nothing else. What was so before the run is known to all from the start.
func (d Detection) Lag(seed uint64, observer, failed, life int) clock.Time {
	if d.Spread == 0 {
		return 0
	}
	stream := splitmix.At(seed, detectionDomain+uint64(observer))
	stream = splitmix.At(stream, uint64(failed)+1)
	return clock.UniformJitter{Most: d.Spread}.Delay(splitmix.At(stream, uint64(life)+1))
}

// uneven is what a failure detector needs besides if observers come to know of failures at different instants: each has a list
// of its own, and waits for its own n-th failure.
type uneven struct {
	// lists are those of all observers, as places in the list of failures. Each is as long as its observer has looked
	// through that one, which only grows at its end; so an observer that never looks has none.
	lists [][]int32
	nexts map[int32][]watch // calls of WatchNext without an answer, by watcher
	turns queue[turn]
	turn  clock.Time // the first one of all parts
}

// turn is when it is a watcher's turn to hear of its n-th failure, at the latest: should another become known to it before, there is an
// earlier turn for that.
type turn struct {
	at      clock.Time
	watcher int32
	number  int32
}

func (t turn) when() clock.Time { return t.at }

func (t turn) compare(u turn) int {
	return cmp.Or(cmp.Compare(t.at, u.at), cmp.Compare(t.watcher, u.watcher), cmp.Compare(t.number, u.number))
}

// newUneven is nil if all observers know at the same time.
func newUneven(d Detection, ranks int) *uneven {
	if d.Spread == 0 {
		return nil
	}
	return &uneven{lists: make([][]int32, ranks), nexts: make(map[int32][]watch)}
}

// reset forgets the last run.
func (u *uneven) reset() {
	if u == nil {
		return
	}
	for i := range u.lists {
		u.lists[i] = u.lists[i][:0]
	}
	clear(u.nexts)
	u.turns = u.turns[:0]
}

// lag is by how much longer it takes until an observer knows of a failure. Only what was so before the run is known at 0.
func (m *Machine) lag(observer int32, k known) clock.Time {
	if m.detector.uneven == nil || k.known == 0 {
		return 0
	}
	return m.cfg.Detection.Lag(m.seed, int(observer), int(k.rank), int(k.life))
}

// knownTo is when an observer knows of a failure.
func (m *Machine) knownTo(observer int32, k known) clock.Time { return k.known + m.lag(observer, k) }

// nth is the n-th failure of an observer's list, as far as failures are certain.
func (m *Machine) nth(observer int32, n int) (k known, ok bool) {
	d := &m.detector
	if n >= len(d.failures) {
		return known{}, false
	}
	if d.uneven != nil {
		m.lookThrough(observer)
		n = int(d.uneven.lists[m.placeOf(observer)][n])
	}
	return d.failures[n], true
}

// lookThrough brings an observer's list up to date, and returns the first place at which it is another than before.
func (m *Machine) lookThrough(observer int32) (changed int) {
	d := &m.detector
	list := d.uneven.lists[m.placeOf(observer)]
	changed = len(list)
	for i := len(list); i < len(d.failures); i++ {
		k := m.asKnownTo(observer, i)
		place, _ := slices.BinarySearchFunc(list, k, func(other int32, k known) int { return m.asKnownTo(observer, int(other)).compare(k) })
		list = slices.Insert(list, place, int32(i))
		changed = min(changed, place)
	}
	d.uneven.lists[m.placeOf(observer)] = list
	return changed
}

// asKnownTo is a failure with the instant at which an observer knows of it.
func (m *Machine) asKnownTo(observer int32, failure int) known {
	k := m.detector.failures[failure]
	k.known = m.knownTo(observer, k)
	return k
}

// waitForTurn takes in a call of WatchNext.
func (m *Machine) waitForTurn(w watch) {
	u := m.detector.uneven
	m.lookThrough(w.watcher)
	u.nexts[w.watcher] = append(u.nexts[w.watcher], w)
	m.takeTurn(w)
}

// takeTurns is called when there is one failure more. The lists of those who wait for a turn are up to date but for that one.
func (m *Machine) takeTurns() {
	for watcher, asked := range m.detector.uneven.nexts {
		changed := m.lookThrough(watcher)
		for _, w := range asked {
			if int(w.what) >= changed {
				m.takeTurn(w)
			}
		}
	}
}

// takeTurn notes when it is a watcher's turn, should no other failure come first.
func (m *Machine) takeTurn(w watch) {
	u := m.detector.uneven
	if list := u.lists[m.placeOf(w.watcher)]; int(w.what) < len(list) {
		u.turns.push(turn{m.asKnownTo(w.watcher, int(list[w.what])).known, w.watcher, w.what})
	}
}

// turnComes finds the first turn of all parts, and reports whether it can be given.
func (m *Machine) turnComes(certain clock.Time) bool {
	d := &m.detector
	d.uneven.turn = m.smallest(d.uneven.turns.next())
	return d.uneven.turn != clock.Never && d.uneven.turn-m.lookahead < min(certain, m.smallest(d.notices.next()))
}

// giveTurns answers those who wait for failures to which none can come first any more, see finalize.
func (m *Machine) giveTurns(certain clock.Time) {
	d := &m.detector
	u := d.uneven
	for m.turnComes(certain) {
		if u.turns.next() > u.turn {
			continue // it is that of another part's watcher
		}
		t := u.turns.pop()
		waiting := u.nexts[t.watcher][:0]
		for _, w := range u.nexts[t.watcher] {
			if w.what == t.number {
				m.answer(w, d.failures[u.lists[m.placeOf(t.watcher)][t.number]])
			} else {
				waiting = append(waiting, w)
			}
		}
		if u.nexts[t.watcher] = waiting; len(waiting) == 0 {
			delete(u.nexts, t.watcher)
		}
	}
}
