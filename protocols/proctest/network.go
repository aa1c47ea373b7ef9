package proctest

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// network is what a schedule must do to messages on their way. It goes through the whole schedule for each of them, and
// shares nothing with what machines read schedules with. Times are ticks or units, as those of the schedule are.
type network struct {
	schedule []item
	sends    map[int]int           // how many of a rank are complete
	last     map[[2]int]clock.Time // when the last message of a link arrives, of those that arrive
}

// item is a fault with the ranks of its sides; of links only.
type item struct {
	faults.Fault
	left, right []int
}

func newNetwork(s faults.Schedule) *network {
	n := &network{sends: make(map[int]int), last: make(map[[2]int]clock.Time)}
	for _, f := range s {
		x := item{Fault: f}
		if f.Right != "" {
			x.left, x.right = f.Left.Ranks(), f.Right.Ranks()
		}
		n.schedule = append(n.schedule, x)
	}
	return n
}

// arrival is one of a message.
type arrival struct {
	at   clock.Time
	late clock.Time // by how much
	held bool       // longer than that, behind another message
	copy bool       // it has been there before
}

// carry takes the next message of a rank to another one, and returns how it arrives. Its sender is done with it at an
// instant; a message to which nothing happens then takes so long.
func (n *network) carry(from, to int, left, latency clock.Time) []arrival {
	n.sends[from]++
	a := arrival{at: left + latency}
	lost := n.isCut(from, to, left)
	var again []clock.Time
	for i := range n.schedule {
		switch f := &n.schedule[i]; {
		case !n.meets(f, from, to, left):
		case f.Kind == faults.Late:
			a.at, a.late = a.at+f.Delay, a.late+f.Delay
		case f.Kind == faults.Lose:
			lost = true
		case f.Kind == faults.Twice:
			again = append(again, f.Delay)
		}
	}
	if lost {
		return nil
	}
	link := [2]int{from, to}
	if last := n.last[link]; last > a.at {
		a.at, a.held = last, true
	}
	n.last[link] = a.at
	all := []arrival{a}
	for _, after := range again {
		all = append(all, arrival{at: a.at + after, copy: true})
	}
	return all
}

// meets reports whether a fault happens to the message that leaves a rank now, if it is one of messages.
func (n *network) meets(f *item, from, to int, left clock.Time) bool {
	if f.Right == "" {
		return f.Rank == from && f.At.Anchor == faults.MidSend && f.At.N == n.sends[from]
	}
	return f.At.Time <= left && f.over(from, to) && (f.Until == 0 || left < f.Until)
}

// isCut reports whether the last that happened to a link by then is that it was cut.
func (n *network) isCut(from, to int, left clock.Time) (cut bool) {
	since := clock.Time(-1)
	for i := range n.schedule {
		f := &n.schedule[i]
		if (f.Kind == faults.Cut || f.Kind == faults.Mend) && f.At.Time <= left && f.At.Time >= since && f.over(from, to) {
			since, cut = f.At.Time, f.Kind == faults.Cut
		}
	}
	return cut
}

// over reports whether a message goes over the links of a fault.
func (f *item) over(from, to int) bool {
	there := f.isLeft(from) && f.isRight(to)
	back := f.isLeft(to) && f.isRight(from)
	return there || back && !f.OneWay
}

func (f *item) isLeft(rank int) bool {
	if f.Left == faults.Others {
		return !slices.Contains(f.right, rank)
	}
	return slices.Contains(f.left, rank)
}

func (f *item) isRight(rank int) bool {
	if f.Right == faults.Others {
		return !slices.Contains(f.left, rank)
	}
	return slices.Contains(f.right, rank)
}

// scaled is a schedule whose times were units.
func scaled(s faults.Schedule, unit clock.Time) faults.Schedule {
	s = slices.Clone(s)
	for i := range s {
		s[i].At.Time *= unit
		s[i].Until *= unit
		s[i].Delay *= unit
	}
	return s
}
