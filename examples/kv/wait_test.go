package kv

import (
	"testing"

	"github.com/stretchr/testify/require"
	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// A leader grants a read, and what was committed before comes later. The server that was asked must not answer before. In whole runs messages hardly ever come in that order, so here the leader
// is one that we make up.
func TestReadsWaitForWhatWasCommitted(t *testing.T) {
	var answered clock.Time
	var found Answer
	program := protocols.Program{Main: func(p protocols.Proc) {
		switch p.Rank() {
		case 0:
			lead(p, 2, 60)
		case 2:
			serve(p, &Plan{Servers: 3, Until: 90})
		case 3:
			p.WaitUntil(20)
			p.Send(2, mailbox.Message{Kind: ask, Payload: encode(command{"3.0", 1, Request{Op: Get, Key: "a"}})})
			_, m := p.Recv(mailbox.OfKind(answer))
			answered, found = p.Now(), decode[Answer](m.Payload)
		}
	}}
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 4, Latency: 2, Overhead: 1}, Disk: disk})
	require.NoError(t, err)
	_, err = machine.Run(t.Context(), program, emu.Options{})
	require.NoError(t, err)
	require.Equal(t, Answer{Value: "x"}, found)
	require.Greater(t, answered, clock.Time(60))
}

// lead is leader of one follower, in term 5. It grants a read for entry 1, and sends that entry later.
func lead(p protocols.Proc, follower int, later clock.Time) {
	send := func(m *pb.Message) {
		m.From, m.To, m.Term = new(uint64(p.Rank()+1)), new(uint64(follower+1)), new(uint64(5))
		text, err := proto.Marshal(m)
		must(err)
		p.Send(follower, mailbox.Message{Kind: mailbox.Kind(m.GetType()), Payload: string(text)})
	}
	send(&pb.Message{Type: pb.MsgHeartbeat.Enum()})
	_, m := p.Recv(mailbox.OfKind(mailbox.Kind(pb.MsgReadIndex)))
	asked := new(pb.Message)
	must(proto.Unmarshal([]byte(m.Payload), asked))
	send(&pb.Message{Type: pb.MsgReadIndexResp.Enum(), Index: new(uint64(1)), Entries: asked.Entries})
	p.WaitUntil(later)
	put := encode(command{"4.0", 1, Request{Op: Put, Key: "a", Value: "x"}})
	entry := &pb.Entry{Term: new(uint64(5)), Index: new(uint64(1)), Data: []byte(put)}
	send(&pb.Message{Type: pb.MsgApp.Enum(), Entries: []*pb.Entry{entry}, Commit: new(uint64(1))})
}
