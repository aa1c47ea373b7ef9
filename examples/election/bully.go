package election

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Nobody is the leader of ranks that know of none.
const Nobody = -1

// Messages of the bully algorithm.
const (
	stand  mailbox.Kind = iota // to those above: I will lead, unless one of you is there
	alive                      // to the one below who said so: I am, leave it to me
	leader                     // to those below: I lead
)

const (
	answer = 20         // ticks: ample time for all above to be asked, and to answer
	reign  = 2 * answer // ticks: time for whoever has answered to stand, wait in vain, and say that it leads
)

// Bully is the algorithm of Garcia-Molina ("Elections in a Distributed Computing System", 1982): the highest rank that lives leads. Ranks stand when they begin and when
// the failure detector tells them that their leader has failed. Each leaves in its element of leaders who leads.
func Bully(leaders []int) protocols.Program {
	return protocols.Program{
		Main: func(p protocols.Proc) {
			c := candidate{p, &leaders[p.Rank()]}
			c.run()
		},
		KindName: func(k mailbox.Kind) string { return [...]string{"stand", "alive", "leader"}[k] },
	}
}

// candidate is a rank that may lead.
type candidate struct {
	protocols.Proc
	leader *int
}

func (c *candidate) run() {
	c.elect()
	for {
		if from, m := c.Linger(mailbox.Any); c.wants(from, m) {
			c.elect()
		}
	}
}

// elect stands until somebody leads: whoever is above and has answered may fail before it does.
func (c *candidate) elect() {
	c.Step("stand")
	*c.leader = Nobody
	for *c.leader == Nobody {
		if c.stands() {
			c.Step("lead")
			*c.leader = c.Rank()
			c.tell(0, c.Rank(), leader)
		} else if trusting {
			return
		}
	}
}

// stands asks those above and reports whether none of them is there. It returns when there is a leader, too, or if whoever is there has not
// made itself one in time.
func (c *candidate) stands() bool {
	c.tell(c.Rank()+1, c.Size(), stand)
	alone, end := true, c.Now()+answer
	for *c.leader == Nobody {
		from, m, ok := c.RecvUntil(mailbox.Any, end)
		switch {
		case !ok:
			return alone
		case m.Kind == alive && alone:
			alone, end = false, c.Now()+reign
		default:
			c.wants(from, m) // a stand of its own, which it is about already
		}
	}
	return false
}

// wants takes a message and reports whether the rank must stand because of it.
func (c *candidate) wants(from int, m mailbox.Message) bool {
	switch m.Kind {
	case stand:
		c.Send(from, mailbox.Message{Kind: alive})
		return true
	case leader:
		c.Step("follow")
		*c.leader = from
		c.Detector().Watch(from)
	case protocols.Failed:
		return from == *c.leader
	}
	return false
}

// tell sends a message to all ranks from first on, until before end.
func (c *candidate) tell(first, end int, kind mailbox.Kind) {
	for rank := first; rank < end; rank++ {
		c.Send(rank, mailbox.Message{Kind: kind})
	}
}
