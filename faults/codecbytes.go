package faults

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

// faultBytes is how many bytes make one fault:
//
//	first   what happens, and the anchor of its point
//	second  the rank, or who is cut off
//	third   the time, or which send, receive or passage of which step
//
// Those of messages have a delay in the place of an anchor.
//
// Each of them is taken modulo the number of choices there are. So every byte means
// something, a change of one byte changes one fault, and bytes cut off take faults away.
const faultBytes = 3

// Numbers above these would seldom be reached on the few ranks that fuzzers use.
const (
	mostDecodedRanks    = 256
	mostDecodedCount    = 64 // sends and receives
	mostDecodedPassages = 4  // of a step
)

// The byte of a cut is one rank below oneCutOff. Otherwise its lower bits, cutPattern of them,
// say who is cut off of the first ranks, of the next ones and so on.
const oneCutOff, cutPattern = 128, 7

// deed is what a byte may do to a rank.
type deed struct {
	kind   Kind
	factor int
	oneWay bool
	kept   Group
}

var deeds = []deed{{kind: Crash}, {kind: Hang}, {kind: Slow, factor: 2}, {kind: Slow, factor: 4}, {kind: Slow, factor: 16}}

// decodedDelays are by how much messages may be late, in the unit of times: from next to nothing to as long as anything.
var decodedDelays = []int{1, 2, 5, 12, 30, 70, 150, mostDecodedRanks - 1}

// decodedKept are the changes that ranks which fail may keep: all, or some of the first ones.
var decodedKept = []Group{Others, "1", "2", "1-2"}

// deeds are those that the decoder knows. One rank alone cannot be cut off.
func (d Decoder) deeds() []deed {
	all := deeds
	if d.Rejoin {
		all = append(slices.Clip(all), deed{kind: Rejoin})
	}
	if d.Cut && d.Ranks > 1 {
		all = append(slices.Clip(all), deed{kind: Cut})
	}
	if d.Mend && d.Ranks > 1 {
		all = append(slices.Clip(all), deed{kind: Cut, oneWay: true}, deed{kind: Mend})
	}
	if d.Messages {
		all = append(slices.Clip(all), deed{kind: Late}, deed{kind: Lose}, deed{kind: Twice})
	}
	if d.Storage {
		for _, kept := range decodedKept {
			all = append(slices.Clip(all), deed{kind: Crash, kept: kept}, deed{kind: Hang, kept: kept})
		}
	}
	return all
}

// fault reads one group of bytes.
func (d Decoder) fault(group []byte) Fault {
	all := d.deeds()
	what, number := int(group[0]), int(group[2])
	do := all[what%len(all)]
	rank := int(group[1]) % d.Ranks
	switch do.kind {
	case Rejoin:
		return Fault{Kind: Rejoin, Rank: rank, At: OnTime(d.ticks(1 + number))} // there is none at 0
	case Cut:
		return Fault{Kind: Cut, Left: d.cutOff(group[1]), Right: Others, OneWay: do.oneWay, At: OnTime(d.ticks(number))}
	case Mend:
		return Fault{Kind: Mend, Left: d.cutOff(group[1]), Right: Others, At: OnTime(d.ticks(1 + number))} // nor here
	case Late, Lose, Twice:
		f := Fault{Kind: do.kind, Rank: rank, At: d.point(MidSend, number)}
		if do.kind.Delays() {
			f.Delay = d.ticks(decodedDelays[what/len(all)%len(decodedDelays)])
		}
		return f
	}
	anchors := d.anchors()
	anchor := anchors[what/len(all)%len(anchors)]
	return Fault{Kind: do.kind, Rank: rank, Factor: do.factor, At: d.point(anchor, number), Kept: do.kept}
}

// anchors are those that there are to choose from.
func (d Decoder) anchors() (all []Anchor) {
	for a := AtTime; a <= lastAnchor; a++ {
		if a < AtStep || a == AtStep && len(d.Steps) > 0 || a > AtStep && d.Storage {
			all = append(all, a)
		}
	}
	return all
}

func (d Decoder) point(anchor Anchor, number int) Point {
	switch anchor {
	case AtTime:
		return OnTime(d.ticks(number))
	case AtStep:
		return OnStep(d.Steps[number%len(d.Steps)], 1+number/len(d.Steps)%mostDecodedPassages)
	}
	return Point{Anchor: anchor, N: 1 + number%mostDecodedCount}
}

// ticks is the n-th time. All of them are valid, whatever the scale.
func (d Decoder) ticks(n int) clock.Time {
	return clock.Time(n) * min(max(1, d.Scale), clock.MaxCost/mostDecodedRanks)
}

// cutOff reads who is on the left side of a cut. Rank 0 is, if nobody is or everybody.
func (d Decoder) cutOff(b byte) Group {
	if b < oneCutOff {
		return GroupOf(int(b) % d.Ranks)
	}
	var ranks []int
	for rank := range d.Ranks {
		if b>>(rank%cutPattern)&1 == 1 {
			ranks = append(ranks, rank)
		}
	}
	if len(ranks) == 0 || len(ranks) == d.Ranks {
		return GroupOf(0)
	}
	return GroupOf(ranks...)
}

// bytes returns bytes that stand for a fault, or any others if there are none.
func (d Decoder) bytes(f Fault) []byte {
	all := d.deeds()
	doing := max(0, slices.Index(all, deed{f.Kind, f.Factor, f.OneWay, f.Kept}))
	return []byte{byte(doing + len(all)*d.manner(f)), f.who(), byte(d.number(f))}
}

// manner is the anchor or the delay.
func (d Decoder) manner(f Fault) int {
	if !f.Kind.OfMessages() {
		return max(0, slices.Index(d.anchors(), f.At.Anchor))
	}
	return max(0, slices.Index(decodedDelays, int(f.Delay/d.ticks(1))))
}

// who is the rank, or the left side of a cut.
func (f Fault) who() byte {
	switch {
	case !f.OfLinks():
		return byte(f.Rank)
	case f.Left.Size() == 1:
		return byte(f.Left.stretches()[0].low) % oneCutOff
	}
	b := byte(oneCutOff)
	for rank, side := range f.Sides(cutPattern) {
		if side == 1 {
			b |= 1 << rank
		}
	}
	return b
}

// number is what the third byte says about when it happens.
func (d Decoder) number(f Fault) int {
	switch n := f.At.N - 1; {
	case f.Kind == Rejoin || f.Kind == Mend:
		return int(f.At.Time/d.ticks(1)) - 1
	case f.At.Anchor == AtTime:
		return int(f.At.Time / d.ticks(1))
	case f.At.Anchor == AtStep:
		return max(0, slices.Index(d.Steps, f.At.Step)) + len(d.Steps)*n
	default:
		return n
	}
}
