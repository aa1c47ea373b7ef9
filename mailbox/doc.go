// Package mailbox holds what travels between ranks and where a rank waits for it.
//
// # Messages
//
// A [Message] is a small header (kind, epoch, an integer) and an optional payload. The payload is a
// string: nobody can change it, so a message to a million receivers needs one copy of it, and ranks
// share no memory that either could write. [Want] says which messages a receive accepts; it is also
// what a deadlock diagnosis prints.
//
// # Mailbox
//
// Every rank of the emulator is a goroutine that waits at a [Mailbox], a Go channel. The emulator
// sends once for each window of virtual time in which the rank has something to do: the messages
// received since the last time, and the end of the window. What was handed over belongs to the rank,
// so no lock is needed. A machine whose messages come from sockets, one by one and at any time, waits
// in another way; it shares Message and Want.
//
// Next: package protocols for the calls that send and receive, package emu for the machine.
package mailbox
