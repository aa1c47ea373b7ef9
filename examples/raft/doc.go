// Package raft runs go.etcd.io/raft, the library of etcd and others, unchanged on ranks: election, replication of a log, snapshots, and ranks that join and leave the group.
//
// The library is a state machine: it takes messages and ticks, and says what is to be stored and sent. A [Node] is what users of it write around that: it stores what
// must survive a crash in records of its rank, sends, applies what is committed to an [App], and compacts the log. package statemachine runs it:
//
//	defer cryptorand.Use(p)()
//	statemachine.Run(p, raft.NewNode(p, app, config), statemachine.Options{Every: raft.Tick, Until: 1000})
//
// [Program] is a group with an application that is made to be checked; what each rank has seen, it leaves in a [Seen]. What is checked, how, and which mistakes are found is in the README.
package raft
