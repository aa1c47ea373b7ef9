// Package mailbox holds what travels between ranks and where it waits: the message, the
// compact store in which messages lie while they are under way, and the channel mailbox
// of a rank.
//
// # Messages
//
// A [Message] is a small header (kind, epoch, an integer) and an optional payload. The payload is a string: nobody can change it, so a message to a million
// receivers needs one copy of it, and ranks share no memory that either could write.
// [Want] says which messages a receive accepts; it is also what a deadlock diagnosis prints.
//
// # Store
//
// At a million ranks messages must cost no allocation and give the garbage collector
// nothing to follow. A [Store] keeps a message without payload in one 32-byte [Cell];
// cells are named by a [Ref] and linked into lists. Payloads lie in side tables that exist
// only where they are used.
//
// # Mailbox
//
// A [Mailbox] is a Go channel with a queue behind it. The scheduler of package emu sends
// once for each window of virtual time in which the rank has something to do: the
// messages received since the last time, and the end of the window ([Handover]). Between
// two hand-overs the queue belongs to the rank alone, so no lock is needed.
//
// Next: package protocols for the calls that send and receive.
package mailbox
