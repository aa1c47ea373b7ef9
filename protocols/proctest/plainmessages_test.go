package proctest_test

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// What plain makes of messages on their way.

// messageFlaws are what can be wrong with that.
type messageFlaws struct {
	lateIgnored, lateStopsSender, lateByMore   bool
	overtaken, holdsAllLinks, newLifeOvertakes bool // by those behind a late message
	heldBackwards                              bool // those that arrive together
	lateIsGone                                 bool // with the life in which its receiver was when it was sent
	lostArrives, lossesAreFree, lostHoldsBack  bool
	onlyOnce, twiceAtOnce                      bool
	againInTime, againHoldsBack                bool // what comes a second time
	longestCounts                              bool // of what happens to one message
	countsFromZero, failedSendCounts           bool
	cutsBothWays, cutsBackwards, neverMended   bool
	mendsBothWays, mendsEarly, mendsLate       bool
	mendsWin                                   bool // over cuts of the same instant
	timeEndsLate, timeNeverEnds                bool
}

// misread is what plain takes the links of a schedule for.
func (f messageFlaws) misread(schedule faults.Schedule) (read faults.Schedule) {
	for _, x := range schedule {
		switch {
		case x.Kind == faults.Cut && x.OneWay && f.cutsBothWays:
			x.OneWay = false
		case x.Kind == faults.Cut && x.OneWay && f.cutsBackwards:
			x.Left, x.Right = x.Right, x.Left
		case x.Kind == faults.Mend && f.neverMended:
			continue
		case x.Kind == faults.Mend && f.mendsBothWays:
			x.OneWay = false
		case x.Kind == faults.Mend && f.mendsEarly:
			x.At.Time--
		case x.Kind == faults.Mend && f.mendsLate:
			x.At.Time++
		case x.Until > 0 && f.timeEndsLate:
			x.Until++
		case f.timeNeverEnds:
			x.Until = 0
		}
		read = append(read, x)
	}
	if f.mendsWin {
		slices.SortStableFunc(read, func(a, b faults.Fault) int { return int(a.Kind) - int(b.Kind) })
	}
	return read
}

// carry puts a message under way that leaves its sender then, and counts the send.
func (r *plainRank) carry(to int, left clock.Time, p post) {
	m := r.m
	p.arrival = left + m.flight()
	fate := r.fate(to, left, p.arrival)
	if r.tracker != nil && !m.countsFromZero {
		r.tracker.Sent()
	}
	if m.lateStopsSender && fate.Late > 0 {
		r.waitOn(r.now + fate.Late)
	}
	inTime := p.arrival
	p.arrival += fate.Late
	if m.lateByMore && fate.Late > 0 {
		p.arrival++
	}
	link := [2]int{r.id, to}
	if !fate.Arrives() {
		if m.lossesAreFree {
			r.now, r.sendFree = p.sent, p.sent
		}
		m.ghosts[link] = max(m.ghosts[link], p.arrival)
		return
	}
	if m.lostHoldsBack {
		p.arrival = max(p.arrival, m.ghosts[link])
	}
	p.arrival = m.behind(to, &p)
	m.post(to, p)
	for _, after := range fate.Again {
		again := p
		again.again = true
		switch {
		case m.twiceAtOnce:
		case m.againInTime:
			again.arrival = inTime + after
		default:
			again.arrival += after
		}
		m.post(to, again)
	}
}

// fate is what becomes of a message.
func (r *plainRank) fate(to int, left, arrival clock.Time) (fate faults.Fate) {
	m := r.m
	if r.tracker != nil {
		if m.countsFromZero {
			r.tracker.Sent()
		}
		r.tracker.Message(left, &fate)
	}
	ofSend := fate.Late
	met := left
	if m.cutFlights {
		met = arrival
	}
	if !m.oneWayCuts || r.id < to {
		m.links.Meet(r.id, to, met, &fate)
	}
	if m.longestCounts {
		fate.Late = max(ofSend, fate.Late-ofSend)
	}
	if m.lateIgnored {
		fate.Late = 0
	}
	if m.onlyOnce {
		fate.Again = nil
	}
	fate.Lost = fate.Lost && !m.lostArrives
	return fate
}

// behind is when a message arrives: none overtakes another one of the same sender, but for what has been there before.
func (m *plain) behind(to int, p *post) clock.Time {
	at := p.arrival
	links := m.ranks[to : to+1]
	if m.holdsAllLinks {
		links = m.ranks
	}
	for _, r := range links {
		for _, earlier := range r.mail {
			switch {
			case earlier.from != p.from || m.overtaken:
			case earlier.again && !m.againHoldsBack:
			case earlier.life != p.life && m.newLifeOvertakes:
			default:
				at = max(at, earlier.arrival)
			}
		}
	}
	return at
}

// post puts a message under way.
func (m *plain) post(to int, p post) {
	r := m.ranks[to]
	if r.mail = append(r.mail, &p); m.heldBackwards {
		r.mail = slices.Insert(r.mail[:len(r.mail)-1], 0, &p)
	}
	m.receive(r)
	r.look()
}
