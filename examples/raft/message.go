package raft

import (
	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/statemachine"
)

// FirstKind is the first kind of messages that are not the library's. Those of applications begin here.
const FirstKind mailbox.Kind = 32

// letter puts a message of the library into one of ours. Its type, term and index are there for those who read traces; the payload has all.
func letter(m *pb.Message) statemachine.Letter {
	return statemachine.Letter{To: rankOf(m.GetTo()), Message: mailbox.Message{
		Kind: mailbox.Kind(m.GetType()), Epoch: uint32(m.GetTerm()), A: int64(m.GetIndex()), Payload: encode(m),
	}}
}

// KindName names the kinds of the library's messages, such as MsgApp.
func KindName(k mailbox.Kind) string { return pb.MessageType_name[int32(k)] }

// encode and decode are for messages, which are also what records have.
func encode(m *pb.Message) string {
	text, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func decode(text string) *pb.Message {
	m := new(pb.Message)
	if err := proto.Unmarshal([]byte(text), m); err != nil {
		panic(err)
	}
	return m
}
