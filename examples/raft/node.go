package raft

import (
	etcd "go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/statemachine"
)

// App is what is replicated. All ranks apply the same commands in the same order.
type App interface {
	// Apply applies a command, which is the entry of the log with that index.
	Apply(index uint64, command string)
	// Snapshot returns all that has come of the commands so far, and Restore takes it over in the place of what there is.
	Snapshot() string
	Restore(state string)
}

// Node is a rank's part of the group in one of its lives. It is a statemachine.Machine. Applications with messages of their own embed it, and change Step.
type Node struct {
	// Raft is the library.
	Raft *etcd.RawNode

	rank    int
	config  Config
	app     App
	seen    *Seen
	log     *stable
	ready   etcd.Ready
	busy    bool // with ready
	letters []statemachine.Letter
	applied uint64
	group   *pb.ConfState
}

var _ statemachine.Machine = (*Node)(nil)

// NewNode makes the node of a rank from what its former lives have stored. The machine must have storage, and the library's random numbers must be the rank's (package
// cryptorand).
func NewNode(p protocols.Proc, app App, config Config) *Node {
	storage, err := protocols.StorageOf(p)
	must(err)
	log := load(storage, config.Voters)
	snapshot := log.snapshot()
	if !etcd.IsEmptySnap(snapshot) {
		app.Restore(string(snapshot.GetData()))
	}
	n := &Node{
		rank: p.Rank(), config: config, app: app, log: log, seen: new(Seen),
		applied: snapshot.GetMetadata().GetIndex(), group: snapshot.GetMetadata().GetConfState(),
	}
	n.Raft, err = etcd.NewRawNode(config.library(p.Rank(), log))
	must(err)
	return n
}

// Propose asks for a command to be applied everywhere. It may be lost at any time, and it may come to be applied although the one who asked for it has failed. An error says that there is no
// leader now that is known here.
func (n *Node) Propose(command string) error { return n.Raft.Propose([]byte(command)) }

// Add and Remove ask for a rank to join or leave the group, with the next entry of the log. Of two such wishes at a time the library grants one.
func (n *Node) Add(rank int) error { return n.change(pb.ConfChangeAddNode, rank) }

// Remove is the opposite of Add.
func (n *Node) Remove(rank int) error { return n.change(pb.ConfChangeRemoveNode, rank) }

func (n *Node) change(kind pb.ConfChangeType, rank int) error {
	return n.Raft.ProposeConfChange(&pb.ConfChange{Type: kind.Enum(), NodeId: new(id(rank))})
}

// Leader returns the leader that this rank knows of, if it knows of one. Several ranks may be leaders at an instant, each in a term of its own.
func (n *Node) Leader() (rank int, known bool) {
	lead := n.Raft.BasicStatus().Lead
	return rankOf(lead), lead != etcd.None
}

// Applied is the index of the last entry that was applied here.
func (n *Node) Applied() uint64 { return n.applied }

// ReadStates are the answers of the library to Raft.ReadIndex that came with what Advance has just applied. They are for applications that embed the node and change Advance.
func (n *Node) ReadStates() []etcd.ReadState { return n.ready.ReadStates }

// Send has a message sent that is not the library's, when all is safe that the node knows.
func (n *Node) Send(to int, m mailbox.Message) {
	n.letters = append(n.letters, statemachine.Letter{To: to, Message: m})
}

// Step takes in a message of the library. What it says of messages that make no sense any more is of no use to anybody.
func (n *Node) Step(_ int, m mailbox.Message) { _ = n.Raft.Step(decode(m.Payload)) }

// Tick lets the library's time pass.
func (n *Node) Tick() { n.Raft.Tick() }

// Ready says what to store and send.
func (n *Node) Ready() (statemachine.Ready, bool) {
	n.busy = n.Raft.HasReady()
	if !n.busy && len(n.letters) == 0 && !n.log.whole {
		return statemachine.Ready{}, false
	}
	n.ready = etcd.Ready{}
	if n.busy {
		n.ready = n.Raft.Ready()
	}
	n.seen.note(n.log, &n.ready, n.Raft.BasicStatus().GetTerm())
	todo := statemachine.Ready{Sync: n.config.syncs(n.ready.MustSync || !etcd.IsEmptySnap(n.ready.Snapshot))}
	todo.Write, todo.Forget = n.log.save(&n.ready, n.config.vote)
	for _, m := range n.ready.Messages {
		todo.Send = append(todo.Send, letter(m))
	}
	todo.Send = append(todo.Send, n.letters...)
	n.letters = nil
	return todo, true
}

// Advance applies what is committed.
func (n *Node) Advance() {
	if !n.busy {
		return
	}
	n.apply()
	for _, m := range n.ready.Messages {
		if m.GetType() == pb.MsgSnap { // it is on its way; if it gets lost the library will send another
			n.Raft.ReportSnapshot(m.GetTo(), etcd.SnapshotFinish)
		}
	}
	n.Raft.Advance(n.ready)
	n.compact()
}

// compact replaces the log by a snapshot from time to time.
func (n *Node) compact() {
	applied := n.Raft.BasicStatus().Applied
	if every := n.config.SnapshotEvery; every > 0 && applied >= n.log.compacted()+every {
		n.log.compact(applied, n.group, n.app.Snapshot())
	}
}
