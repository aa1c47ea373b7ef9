package proctest

import (
	"math"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Rank 0 and kind 0 are the ones a machine might mistake for "any".
var wantCases = []Case{
	{Name: "a receive by sender leaves other messages in the mailbox in order", on: simple(3), check: picking(ofKinds(0, 0, 0),
		pick{mailbox.From(1), 1, 0}, pick{mailbox.From(0), 0, 0}, pick{mailbox.From(0), 0, 1},
		pick{mailbox.From(0), 0, 2}, pick{mailbox.Any, 1, 1}, pick{mailbox.From(1), 1, 2})},
	{Name: "a receive by kind leaves other messages in the mailbox in order", on: simple(2), check: picking(ofKinds(3, 0, 254, 0, 3, 254),
		pick{mailbox.OfKind(254), 0, 2}, pick{mailbox.OfKind(0), 0, 1}, pick{mailbox.OfKind(254), 0, 5},
		pick{mailbox.Any, 0, 0}, pick{mailbox.Any, 0, 3}, pick{mailbox.Any, 0, 4})},
	{Name: "a receive by sender and kind wants both", on: simple(3), check: picking(ofKinds(0, 1, 0, 1),
		pick{mailbox.From(1).OfKind(1), 1, 1}, pick{mailbox.From(0).OfKind(0), 0, 0}, pick{mailbox.From(0).OfKind(0), 0, 2},
		pick{mailbox.From(0), 0, 1}, pick{mailbox.From(1).OfKind(1), 1, 3}, pick{mailbox.OfKind(1), 0, 3},
		pick{mailbox.Any, 1, 0}, pick{mailbox.From(1), 1, 2})},
	{Name: "a receive up to an epoch leaves later ones in the mailbox", on: simple(2), check: picking(ofEpochs(3, 0, 1, 2, math.MaxUint32),
		pick{mailbox.Any.UpTo(0), 0, 1}, pick{mailbox.OfKind(0).UpTo(2), 0, 2}, pick{mailbox.From(0).UpTo(2), 0, 3},
		pick{mailbox.Any, 0, 0}, pick{mailbox.Any, 0, 4})},
	{Name: "a receive of an epoch leaves earlier and later ones in the mailbox", on: simple(2), check: picking(ofEpochs(3, 0, 2, math.MaxUint32, 2, 1),
		pick{mailbox.Any.OfEpoch(2), 0, 2}, pick{mailbox.From(0).OfEpoch(math.MaxUint32), 0, 3}, pick{mailbox.OfKind(0).OfEpoch(0), 0, 1},
		pick{mailbox.Any.OfEpoch(2), 0, 4}, pick{mailbox.Any, 0, 0}, pick{mailbox.Any.OfEpoch(1), 0, 5})},
	{Name: "a receive does not end before a wanted message comes", on: logP(2), check: waitsForTheWanted},
	{Name: "RecvUntil and Poll do not take what they do not want", on: logP(2), check: leaves(mailbox.OfKind(2))},
	{Name: "None accepts no message", on: logP(2), check: leaves(mailbox.None)},
}

// pick is a receive, and what it is to get.
type pick struct {
	want   mailbox.Want
	from   int
	number int64
}

// picking has all ranks but the highest send it these messages, numbered in order, and lets it pick.
func picking(messages []mailbox.Message, picks ...pick) func(*checker) {
	return func(c *checker) {
		received := gather(c, func(p protocols.Proc) (got []receipt) {
			if p.Rank() < c.Ranks-1 {
				for i, m := range messages {
					m.A = int64(i)
					p.Send(c.Ranks-1, m)
				}
				return nil
			}
			for _, want := range picks {
				got = append(got, receive(p, want.want))
			}
			return got
		})
		var got []pick
		for i, r := range received[c.Ranks-1] {
			got = append(got, pick{picks[i].want, r.From, r.Msg.A})
		}
		same(c, "what is wanted, sender and number", got, picks)
	}
}

func ofKinds(kinds ...mailbox.Kind) (all []mailbox.Message) {
	for _, kind := range kinds {
		all = append(all, mailbox.Message{Kind: kind})
	}
	return all
}

func ofEpochs(epochs ...uint32) (all []mailbox.Message) {
	for _, epoch := range epochs {
		all = append(all, mailbox.Message{Epoch: epoch})
	}
	return all
}

func waitsForTheWanted(c *checker) {
	late := 7 * c.Delivery()
	got := gather(c, func(p protocols.Proc) []receipt {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{Kind: 1})
			p.WaitUntil(late)
			p.Send(1, mailbox.Message{Kind: 2})
			return nil
		}
		return []receipt{receive(p, mailbox.OfKind(2)), receive(p, mailbox.OfKind(1))}
	})
	c.each("a message is received", times(got[1]), series(late+c.Delivery(), 0, 2))
}

// leaves has a rank that has a letter look for something else. It still has the letter afterwards.
func leaves(want mailbox.Want) func(*checker) {
	return func(c *checker) {
		there := c.settled(c.Delivery())
		c.looks(sends, look{from: there, want: want, poll: true}, look{want: want, until: there + 3*c.Delivery()},
			look{poll: true, finds: true})
	}
}
