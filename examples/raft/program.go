package raft

import (
	"fmt"
	"hash/fnv"
	"slices"

	etcd "go.etcd.io/raft/v3"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/statemachine"
	"github.com/mangrove-emu/mangrove/protocols/statemachine/cryptorand"
)

// Plan says what happens in a run of Program besides faults.
type Plan struct {
	Config
	// Until is when it ends.
	Until clock.Time
	// Propose is every how many ticks of the library each rank proposes a command.
	Propose int
	// Groups are who is to be in the group from an instant on.
	Groups []Group
}

// Group is who is to be in the group, from an instant on.
type Group struct {
	From  clock.Time
	Ranks []int
}

// atLast are the ranks that are to be in the group at the end.
func (p *Plan) atLast() []int {
	if n := len(p.Groups); n > 0 {
		return p.Groups[n-1].Ranks
	}
	return p.Voters
}

// Program is a group that agrees on commands without meaning. Each rank leaves in its element of seen what it has seen.
func Program(plan Plan, seen []Seen) protocols.Program {
	return protocols.Program{
		Main: func(p protocols.Proc) {
			defer cryptorand.Use(p)()
			own := &seen[p.Rank()]
			m := &member{proc: p, plan: &plan}
			m.Node = NewNode(p, &chain{own, 0}, plan.Config)
			m.seen, own.Node = own, m.Node
			statemachine.Run(p, m, statemachine.Options{Every: Tick, Until: plan.Until})
		},
		KindName: KindName,
	}
}

// member is a node that proposes something from time to time.
type member struct {
	*Node
	proc  protocols.Proc
	plan  *Plan
	ticks int
}

func (m *member) Tick() {
	m.Node.Tick()
	m.ticks++
	if (m.ticks+m.rank)%m.plan.Propose == 0 {
		_ = m.Propose(fmt.Sprintf("%d.%d.%d", m.rank, m.proc.Life(), m.ticks)) // lost without a leader
	}
	if leader, known := m.Leader(); known && leader == m.rank {
		m.regroup()
	}
}

// Ready passes a step when the rank begins to lead, to stand for election, or to follow, for promises over time and those who read traces.
func (m *member) Ready() (statemachine.Ready, bool) {
	todo, some := m.Node.Ready()
	if soft := m.ready.SoftState; some && soft != nil {
		m.proc.Step(map[etcd.StateType]string{etcd.StateLeader: "lead", etcd.StateCandidate: "stand", etcd.StatePreCandidate: "stand", etcd.StateFollower: "follow"}[soft.RaftState])
	}
	return todo, some
}

// regroup has the leader ask for the first change that is left to do.
func (m *member) regroup() {
	for _, wanted := range slices.Backward(m.plan.Groups) {
		if m.proc.Now() < wanted.From {
			continue
		}
		for rank := range m.proc.Size() {
			in, want := slices.Contains(m.group.GetVoters(), id(rank)), slices.Contains(wanted.Ranks, rank)
			switch {
			case want && !in:
				_ = m.Add(rank)
				return
			case in && !want:
				_ = m.Remove(rank)
				return
			}
		}
		return
	}
}

// chain is the application: a number that depends on all commands and their order.
type chain struct {
	seen  *Seen
	state uint64
}

func (c *chain) Apply(index uint64, command string) {
	hash := fnv.New64a()
	fmt.Fprint(hash, c.state, command)
	c.state = hash.Sum64()
	if c.seen.States == nil {
		c.seen.States = make(map[uint64]uint64)
	}
	c.seen.States[index] = c.state
}

func (c *chain) Snapshot() string { return fmt.Sprint(c.state) }

func (c *chain) Restore(state string) {
	_, err := fmt.Sscan(state, &c.state)
	must(err)
}
