package ulfm

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/internal/varint"
)

// A rank that has failed may be started anew. It knows nothing of its former life, and is a
// process of its own: a communicator that it was in has lost a member for good. It says hello to
// all ranks that are there. Those who want it call Spawn, whose root tells it who they are.

// Spawn waits until ranks of the machine that have failed were started anew, and connects them to
// the members. All members call it; which ranks, says member 0. They are not started by this call
// but by the schedule of the run (rejoin), as by a batch system.
//
// It fails if a member fails, on all members or on none: else ranks that were started would wait
// for ever for those who know nothing of them.
func (c *Comm) Spawn(ranks []int) (*Intercomm, error) {
	c.checkStarted(ranks)
	c.begin("Spawn")
	id, all, err := c.exchange("Spawn", "", func(string) (string, error) { return c.invite(ranks) })
	if err = c.confirm(err); err != nil {
		return nil, c.raise(err)
	}
	// Nobody acts on that before all who live have it: else one could welcome ranks, fail, and leave them with others
	// that have decided otherwise. What comes of the second agreement does not matter, only that all have called it.
	if _, excluded := c.decide(ballot{purpose: forCreate, flags: 1}); excluded != nil {
		return nil, c.raise(excluded)
	}
	inter := readInvitation(all)
	inter.connect(c.child(id, inter.both))
	inter.c.more().inviting = inter
	inter.welcome()
	return inter, nil
}

// checkStarted panics on ranks that cannot be started: a mistake in the program.
func (c *Comm) checkStarted(ranks []int) {
	for i, machineRank := range ranks {
		if machineRank < 0 || machineRank >= c.r.Size() {
			panic(fmt.Sprintf("ulfm: Spawn of rank %d, want 0 to %d", machineRank, c.r.Size()-1))
		}
		if member, ok := c.group.member(machineRank); ok {
			panic(fmt.Sprintf("ulfm: Spawn of rank %d, which is member %d of the communicator", machineRank, member))
		}
		if slices.Contains(ranks[:i], machineRank) {
			panic(fmt.Sprintf("ulfm: Spawn of ranks %v, want each once", ranks))
		}
	}
}

// invite waits for ranks to be started, and lists who takes part.
func (c *Comm) invite(ranks []int) (string, error) {
	lives, err := c.awaitNewcomers(ranks)
	if err != nil {
		return "", err
	}
	return c.invitation(ranks, lives), nil
}

// welcome tells those who were started who has started them. The first member that is alive does: all
// members have the same to tell.
func (i *Intercomm) welcome() {
	for member := range i.c.me {
		if i.c.alive(member) {
			i.c.r.watch(i.c.group.machineRank(member))
			return
		}
	}
	for member := max(i.first, i.c.me+1); member < i.c.Size(); member++ {
		i.c.post(member, mailbox.Message{Kind: welcome, Payload: i.invitation})
	}
	i.c.more().inviting = nil
}

// awaitNewcomers waits until all of these ranks have said hello, and returns in which lives.
func (c *Comm) awaitNewcomers(ranks []int) ([]int, error) {
	for {
		lives := make([]int, len(ranks))
		missing := -1
		for i, machineRank := range ranks {
			life, there := c.r.seldom.newcomers[machineRank]
			if lives[i] = life; !there || c.r.hasFailed(process{machineRank, life}) {
				missing = machineRank
			}
		}
		if missing < 0 {
			return lives, nil
		}
		nobody := Request{c: c, kind: part, from: c.me}
		if err := nobody.failure(); err != nil {
			return nil, err
		}
		c.r.wait(doing{call: "Spawn", c: c, peer: None, newcomer: int32(missing + 1)})
	}
}

// invitation lists who takes part: the members, then those who were started.
func (c *Comm) invitation(ranks, lives []int) string {
	allRanks, allLives := c.group.listAll()
	return invitationOf(c.Size(), allRanks+listed(ranks), allLives+listed(lives))
}

// invitationOf is a message that says who the members of an Intercomm are, and how many of them are
// the first group.
func invitationOf(first int, ranks, lives numbers) string {
	buffer := varint.Append(nil, first)
	return string(varint.AppendText(varint.AppendText(buffer, string(ranks)), string(lives)))
}

func readInvitation(all string) *Intercomm {
	r := varint.Reader{Rest: all}
	first := r.Number()
	return &Intercomm{first: first, both: groupOf(numbers(r.Text()), numbers(r.Text())), invitation: all}
}

// Parent connects a rank that was started anew to those who have called Spawn for it. It waits
// until somebody has; if nobody ever does, the rank has finished there. If nothing came of it
// since others have failed, Parent can be called again, and waits for the next Spawn. On ranks
// that were there from the start it returns nil.
func (c *Comm) Parent() *Intercomm {
	r := c.r
	if r.Life() == 0 {
		return nil
	}
	r.begin("Parent")
	for len(r.seldom.invited) == 0 {
		r.doing = doing{call: "Parent", c: c, peer: None}
		r.handle(r.Linger(mailbox.Any))
		r.catchUp()
	}
	inter := r.seldom.invited[0]
	r.more().invited = r.seldom.invited[1:]
	r.doing = idle
	return inter
}

// sayHello tells all ranks that this one is there.
func (r *rank) sayHello() {
	r.ask()
	for i := 1; i < r.Size(); i++ {
		if other := (r.Rank() + i) % r.Size(); !r.detector.Suspects(other) {
			r.greet(other)
		}
	}
}

func (r *rank) greet(machineRank int) {
	r.Send(machineRank, mailbox.Message{Kind: hello, A: int64(r.Life())})
}

// meet takes note of a rank that was started anew. It has not heard of those who said hello before
// it was there.
func (r *rank) meet(machineRank, life int) {
	if known, there := r.seldom.newcomers[machineRank]; there && known >= life {
		return
	}
	own := r.more()
	if own.newcomers == nil {
		own.newcomers = make(map[int]int)
	}
	own.newcomers[machineRank] = life
	if r.Life() > 0 {
		r.greet(machineRank)
	}
}

// join opens what this rank was started for.
func (r *rank) join(id identity, payload string) {
	inter := readInvitation(payload)
	_, mine := inter.both.memberOf(process{r.Rank(), r.Life()})
	if _, open := r.search(id); open || !mine || !r.toCome(id) {
		return // it was told before, or it is meant for a former life
	}
	inter.connect(r.open(id, inter.both))
	own := r.more()
	own.invited = append(own.invited, inter)
	// If all before this one fail, some of those who were started with it may not have heard.
	inter.c.more().inviting = inter
	inter.welcome()
}
