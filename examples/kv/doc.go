// Package kv is a key-value store that several ranks keep together, on the raft of examples/raft, and clients which ask it and write down what they are told. The
// histories of a run are judged by linearizability: whatever fails, the store must look as if there were one copy of it.
//
//	h := kv.NewHistory(ranks)
//	program := kv.Program(kv.Plan{Servers: 3, Until: 800}, h)
//	promise := linearizable.Check(h, kv.Model)
//
// A client may ask any server. A write goes through the log, and is applied once however often it is asked for. A read waits until a majority has confirmed who the leader is,
// and until all is applied here that was committed when it began. What happens without the one or the other is in the README.
package kv
