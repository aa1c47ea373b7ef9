package emu

import (
	"cmp"
	"slices"
	"sync"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/internal/cells"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// detectorState is the failure detector at work.
//
// Ranks ask and fail while a window is open, in an order of chance. What they ask and how they
// end is gathered, and dealt with at the barrier; what is known changes at barriers only. Why
// nothing comes too late, and nothing has to be taken back:
//
//  1. At a barrier all that happens before some instant, start, has happened: until then no
//     rank acts. So a failure before start is certain. Others may still be overtaken: a rank
//     that is to be slowed down may crash before.
//  2. A failure becomes known a lookahead after it happened, or later: Delay is no shorter, and
//     if it counts from a sign of life, no shorter than that and the Period in which that sign
//     was given. So whatever is not certain yet becomes known at start + lookahead or later. It
//     goes behind all that is known before that instant, which is final.
//  3. A window that opens at start ends at start + lookahead or before, and ranks look at what
//     is known inside of windows only. So they see nothing but what is final.
//  4. A notice that a rank has at t arrives at t - o, the smallest overhead. It is held back until t < start +
//     lookahead. Then every message that arrives by t - o has been sent, since what is sent from
//     start on arrives at start + o + L or later; so it depends on nothing else that a notice
//     comes behind what the same rank has sent, should that arrive at the same instant.
//
// All this is as true of a detector that takes longer for some observers than for others, for each of them by itself:
// a spread only adds. What differs for these is in uneven.go.
type detectorState struct {
	failures []known                // in the order of Detector.Known; with a spread in that in which they became certain
	final    int                    // so many of them; unused with a spread
	places   map[int32][]int32      // of each rank's failures in the list, if it is the same for all and they are final
	known    map[int32]known        // for which failure each rank is suspected, or will be
	coming   queue[incident]        // failures that are not certain yet
	certain  clock.Time             // the start of the last window: all that happened before is known, or will be
	watchers []*watchers            // of ranks that are not suspected; nil of those without any
	nexts    map[int32]*pile[watch] // of failures that are not final, by their number; unused with a spread
	notices  queue[notice]          // held back
	reserve  cells.Reserve          // cells for notices
	uneven   *uneven                // nil without a spread

	mu        sync.Mutex  // guards what follows
	asked     pile[watch] // by Watch
	askedNext pile[watch] // by WatchNext
	happened  []incident
}

// known is a failure and when it becomes known, to those who know it first if there is a spread.
type known struct {
	known clock.Time
	rank  int32
	life  int32 // of the rank that it ended
}

func (k known) compare(other known) int {
	return cmp.Or(cmp.Compare(k.known, other.known), cmp.Compare(k.rank, other.rank), cmp.Compare(k.life, other.life))
}

// watch is a call of Watch or of WatchNext. Every rank makes several.
type watch struct {
	at      clock.Time
	watcher int32
	what    int32 // the rank, or the number of the failure
}

// incident is a failure that a detector notices, or a slow-down that it takes for one.
type incident struct {
	at   clock.Time
	rank int32
	slow bool
}

func (i incident) when() clock.Time { return i.at }

func (i incident) compare(j incident) int {
	return cmp.Or(cmp.Compare(i.at, j.at), cmp.Compare(i.rank, j.rank))
}

// notice is what a watcher is told, at the end of its receive if nothing else holds it up.
type notice struct {
	at       clock.Time
	to, from int32
}

func (n notice) when() clock.Time { return n.at }

func (n notice) compare(o notice) int {
	return cmp.Or(cmp.Compare(n.at, o.at), cmp.Compare(n.to, o.to), cmp.Compare(n.from, o.from))
}

// newDetectorState is that of a part with so many ranks of its own.
func newDetectorState(d Detection, ranks, own int) detectorState {
	watched := ranks
	if d.Delay == 0 { // there is no detector
		watched = 0
	}
	return detectorState{
		places:   make(map[int32][]int32),
		known:    make(map[int32]known),
		watchers: make([]*watchers, watched),
		nexts:    make(map[int32]*pile[watch]),
		uneven:   newUneven(d, own),
	}
}

// reset forgets the last run.
func (d *detectorState) reset() {
	clear(d.known)
	clear(d.places)
	clear(d.watchers)
	clear(d.nexts)
	d.failures, d.final, d.certain = d.failures[:0], 0, 0
	d.coming, d.notices = d.coming[:0], d.notices[:0]
	d.reserve = cells.Reserve{}
	d.forgetGathered()
	d.uneven.reset()
}

// detectEnd tells the detector of a rank with faults whose program has just ended, at t. A crash
// may follow if it has returned or hangs.
func (r *rank) detectEnd(t clock.Time) {
	if !r.m.cfg.Detection.Hangs || r.state != hung {
		t = r.extra.faults.DeadAt()
	}
	if t != clock.Never {
		r.m.gatherIncident(incident{at: t, rank: r.id}, r.extra.faults.StopsAt() == 0)
	}
}

// detectSlowdown tells the detector of a rank that is or will be slowed down at t.
func (r *rank) detectSlowdown(t clock.Time, beforeRun bool) {
	if r.m.cfg.Detection.Slow {
		r.m.gatherIncident(incident{at: t, rank: r.id, slow: true}, beforeRun)
	}
}

// gatherIncident notes what the detector may notice. What was so before the run is known from the
// start.
func (m *Machine) gatherIncident(i incident, beforeRun bool) {
	delay := m.cfg.Detection.Delay
	if delay == 0 {
		return
	}
	if i.at == 0 && beforeRun {
		i.at = -delay
	}
	d := &m.detector
	d.mu.Lock()
	defer d.mu.Unlock()
	d.happened = append(d.happened, i)
}

// notify deals with what was asked and what has happened in the last window. No rank acts before
// start, unless because of a notice; notify returns the earliest instant at which one may act,
// these included.
func (m *Machine) notify(start clock.Time) clock.Time {
	d := &m.detector
	if m.cfg.Detection.Delay == 0 {
		return start
	}
	m.takeIn()
	for {
		m.finalize(min(start, d.coming.next()))
		start = min(start, m.smallest(d.notices.next()))
		if d.coming.next() >= start {
			d.certain = start
			return start
		}
		m.learn(d.coming.pop())
	}
}

// takeIn sorts out what was gathered in the last window.
func (m *Machine) takeIn() {
	d := &m.detector
	for _, f := range d.happened {
		d.coming.push(f)
	}
	for w := range d.asked.all() {
		if k, suspected := d.known[w.what]; suspected {
			m.answer(w, k)
		} else {
			m.addWatcher(w)
		}
	}
	for w := range d.askedNext.all() {
		switch {
		case d.uneven != nil:
			m.waitForTurn(w)
		case int(w.what) < d.final:
			m.answer(w, d.failures[w.what])
		default:
			d.addNext(w)
		}
	}
	d.forgetGathered()
}

// forgetGathered is for the next window.
func (d *detectorState) forgetGathered() {
	d.asked.clear()
	d.askedNext.clear()
	d.happened = d.happened[:0]
}

// addNext takes note of one that waits for a failure that is not final.
func (d *detectorState) addNext(w watch) {
	all := d.nexts[w.what]
	if all == nil {
		all = new(pile[watch])
		d.nexts[w.what] = all
	}
	all.add(w)
}

// learn puts a failure on the list that is certain. A rank that is suspected cannot fail again
// before it has come back.
func (m *Machine) learn(f incident) {
	d := &m.detector
	if _, suspected := d.known[f.rank]; suspected {
		return
	}
	k := known{m.knownAt(f), f.rank, m.rejoins.lives[f.rank].number}
	if d.uneven != nil {
		d.failures = append(d.failures, k)
		m.takeTurns()
	} else {
		i, _ := slices.BinarySearchFunc(d.failures, k, known.compare)
		if i < d.final {
			panic("emu: a failure becomes known before another that ranks may know of already")
		}
		d.failures = slices.Insert(d.failures, i, k)
	}
	d.known[f.rank] = k
	if watchers := d.watchers[f.rank]; watchers != nil {
		watchers.each(func(w watch) {
			w.watcher += int32(m.block.First)
			m.answer(w, k)
		})
	}
	d.watchers[f.rank] = nil
}

// knownAt is when a failure becomes known, at the earliest.
func (m *Machine) knownAt(f incident) clock.Time {
	sign, period := f.at, m.cfg.Detection.Period
	if period > 0 && f.at > 0 {
		sign = max((f.at-1)/period*period, m.rejoins.lives[f.rank].began)
	}
	return sign + m.cfg.Detection.Delay
}

// finalize answers those who wait for failures to which none can come first any more: all that
// happen before an instant are on the list.
func (m *Machine) finalize(certain clock.Time) {
	d := &m.detector
	if d.uneven != nil {
		m.giveTurns(certain)
		return
	}
	// Whoever is told may fail because of it.
	for d.final < len(d.failures) && d.failures[d.final].known-m.lookahead < min(certain, m.smallest(d.notices.next())) {
		if waiting := d.nexts[int32(d.final)]; waiting != nil {
			for w := range waiting.all() {
				m.answer(w, d.failures[d.final])
			}
			delete(d.nexts, int32(d.final))
		}
		rank := d.failures[d.final].rank
		d.places[rank] = append(d.places[rank], int32(d.final))
		d.final++
	}
}

// countFailures counts the failures of a rank among the first so many of an observer's list.
func (m *Machine) countFailures(observer, rank int32, among int) (count int) {
	d := &m.detector
	if d.uneven != nil {
		list := d.uneven.lists[m.placeOf(observer)]
		for _, place := range list[:min(among, len(list))] {
			if d.failures[place].rank == rank {
				count++
			}
		}
		return count
	}
	for _, place := range d.places[rank] {
		if int(place) < among {
			count++
		}
	}
	return count
}

// answer prepares a notice.
func (m *Machine) answer(w watch, k known) {
	at := max(w.at+m.cfg.Detection.Delay, k.known) + m.lag(w.watcher, k)
	m.detector.notices.push(notice{at: at, to: w.watcher, from: k.rank})
}

// tell sends those notices that concern a window which opens at start. They are received like
// messages that nobody has sent.
func (m *Machine) tell(start clock.Time) {
	d := &m.detector
	for d.notices.next() < start+m.lookahead {
		n := d.notices.pop()
		if d.reserve.Empty() {
			m.workers[0].pool.Refill(&d.reserve)
		}
		ref := d.reserve.Take(m.store)
		c := m.store.Put(ref, n.from, n.at-m.overhead, &mailbox.Message{Kind: protocols.Failed})
		m.out.push(int(m.placeOf(n.to)), ref, c)
	}
}

// forget is for a rank that comes back. Nothing that was to happen to its former life will;
// slow-downs are told by the clock and hit its next one.
func (d *detectorState) forget(rank int32) {
	delete(d.known, rank)
	all := d.coming
	d.coming = all[:0] // a push touches nothing that is yet to be looked at
	for _, f := range all {
		if f.rank != rank || f.slow {
			d.coming.push(f)
		}
	}
}
