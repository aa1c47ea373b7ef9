// Package cells is where the emulator keeps messages while they are under way or wait to be read.
//
// At a million ranks messages must cost no allocation and give the garbage collector nothing to
// follow. A [Store] keeps a message without payload in one [Cell] of 32 bytes; cells are named by a
// [Ref] and linked into lists. Payloads lie in side tables that exist only where they are used.
//
// Free cells are kept near those who need them next. What a rank has received pays for what it
// sends: its [Reserve] holds a few cells, and needs no lock. The ranks that a worker runs fill up
// and give back at the worker's [Pool]; pools do so at the store.
//
// Next: package emu, chains.go for messages on their way to a rank, receive.go for their end.
package cells
