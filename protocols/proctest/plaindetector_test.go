package proctest_test

import (
	"cmp"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// detectorFlaws are what can be wrong with the failure detector.
type detectorFlaws struct {
	noDetector                  bool
	sortedLists, shortLists     bool // a list is in order of rank, or forgets what it has begun with
	miscounts                   bool // failures of others count, too
	blindList, listsTwice       bool // the last failure is never known, or there twice
	lateStart, slowSuspicion    bool
	rashSuspicion               bool // who is going to fail is suspected
	listOfAnother, earlyNotices bool // WatchNext goes by the list of another rank, or tells too soon
	watchesAgain, unwatchedPast bool // a call leads to two notices, or to none of what has happened
	nextAgain, watchesEverybody bool
}

// plainDetector is the failure detector of a rank of plain. It knows from the schedule who crashes and when: at instants, and for good.
type plainDetector plainRank

func (r *plainRank) Detector() protocols.Detector {
	if r.m.noDetector {
		return nil
	}
	return (*plainDetector)(r)
}

// plainFailure is a crash, and when an observer knows of it.
type plainFailure struct {
	rank  int
	known clock.Time
}

// list has all failures there will be in the order in which an observer comes to know of them. When it does differs from observer to observer.
func (d *plainDetector) list(observer int) (all []plainFailure) {
	delivery := d.m.Delivery()
	for _, f := range d.m.schedule {
		known := clock.Time(0)
		if f.At.Time > 0 {
			known = f.At.Time + delivery + clock.Time(observer*5+f.Rank*3)%7*delivery
		} else if d.m.lateStart {
			known = 1
		}
		if f.Kind == faults.Crash && f.At.Anchor == faults.AtTime {
			all = append(all, plainFailure{f.Rank, known})
		}
	}
	slices.SortFunc(all, func(a, b plainFailure) int { return cmp.Or(cmp.Compare(a.known, b.known), cmp.Compare(a.rank, b.rank)) })
	if d.m.blindList {
		all = all[:max(0, len(all)-1)]
	}
	if d.m.listsTwice && len(all) > 0 {
		all = append(all, all[len(all)-1])
	}
	return all
}

// byNow is what is known by now.
func (d *plainDetector) byNow() []plainFailure {
	all := d.list(d.id)
	all = slices.DeleteFunc(all, func(f plainFailure) bool { return f.known > d.now })
	if d.m.sortedLists {
		slices.SortFunc(all, func(a, b plainFailure) int { return cmp.Compare(a.rank, b.rank) })
	}
	if d.m.shortLists && len(all) > 3 {
		all = all[1:]
	}
	return all
}

func (d *plainDetector) Known(n int) (int, bool) {
	if known := d.byNow(); n < len(known) {
		return known[n].rank, true
	}
	return 0, false
}

func (d *plainDetector) Failures(rank, among int) (count int) {
	for _, f := range d.byNow()[:among] {
		if f.rank == rank || d.m.miscounts && among > 2 {
			count++
		}
	}
	return count
}

func (d *plainDetector) Suspects(rank int) bool {
	all := d.byNow()
	if d.m.rashSuspicion {
		all = d.list(d.id)
	}
	if d.m.slowSuspicion {
		all = slices.DeleteFunc(all, func(f plainFailure) bool { return f.known > d.now-5 })
	}
	return slices.ContainsFunc(all, func(f plainFailure) bool { return f.rank == rank })
}

func (d *plainDetector) Watch(rank int) {
	for _, f := range d.list(d.id) {
		if f.rank == rank && !(d.m.unwatchedPast && f.known <= d.now) {
			d.tell(f)
			if d.m.watchesAgain {
				d.tell(f)
			}
		}
	}
	if d.m.watchesEverybody {
		d.tell(plainFailure{3, 50})
	}
}

func (d *plainDetector) WatchNext(n int) {
	list := d.list(d.id)
	if d.m.listOfAnother {
		list = d.list((d.id + 1) % len(d.m.ranks))
	}
	if n < len(list) {
		d.tell(list[n])
	} else if d.m.nextAgain {
		d.tell(list[0])
	}
}

// tell puts a notice under way.
func (d *plainDetector) tell(f plainFailure) {
	r := (*plainRank)(d)
	at := max(f.known, r.now+r.m.Delivery())
	if r.m.earlyNotices {
		at = r.now + r.m.Delivery()
	}
	r.mail = append(r.mail, &post{from: f.rank, sent: at - r.m.Overhead, arrival: at - r.m.Overhead, message: mailbox.Message{Kind: protocols.Failed}})
	r.m.receive(r)
}
