package proctest

import (
	"slices"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

var lingerCases = []Case{
	{Name: "a rank that lingers receives like any other", on: logP(2), check: lingeringReceives},
	{Name: "a run is over when all that is left to do is to linger",
		on: slices.Concat(logP(3), simple(70)), check: lingeringEnds},
}

// Rank 1 sends messages of three kinds in turn, of which rank 0 wants one.
func lingeringReceives(c *checker) {
	const turns, kinds = 10, 3
	got := gather(c, func(p protocols.Proc) []receipt {
		var all []receipt
		for i := range turns {
			for kind := range kinds {
				switch {
				case p.Rank() == 1:
					p.Send(0, mailbox.Message{Kind: mailbox.Kind(kind), A: int64(i)})
				case kind == 1:
					from, msg := p.Linger(mailbox.OfKind(1))
					all = append(all, receipt{p.Now(), from, msg})
				}
			}
		}
		return all
	})
	same(c, "message received in Linger", values(got[0]), count[int64](turns))
	c.each("Linger returns", times(got[0]), series(c.Overhead+c.Delivery(), kinds*c.Overhead, turns))
}

// A token goes round the ring three times, passed on by ranks that linger. Then nothing can
// happen any more.
func lingeringEnds(c *checker) {
	const rounds = 3
	seen := run(c, setup{seed: 1}, func(p protocols.Proc, note func(func(own *relay))) {
		defer note(func(own *relay) { own.Left++ })
		if p.Rank() == 0 {
			p.Send(1, number(1))
		}
		for range rounds {
			_, token := p.Linger(mailbox.Any)
			note(func(own *relay) { own.Passed++ })
			if int(token.A) < rounds*c.Ranks {
				p.Send((p.Rank()+1)%c.Ranks, number(int(token.A)+1))
			}
		}
		p.Linger(mailbox.Any)
		note(func(own *relay) { own.Returned++ })
	})
	c.judge(seen.aftermath)
	same(c, "how often the token came by, Linger returned without a message and deferred functions ran",
		seen.by, slices.Repeat([]relay{{Passed: rounds, Left: 1}}, c.Ranks))
}

// relay counts what happens to a rank in a run that need not end as it should.
type relay struct{ Passed, Returned, Left int }
