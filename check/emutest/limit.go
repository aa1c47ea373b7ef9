package emutest

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// limited is a rank that panics when its program goes on after the time limit. A protocol
// that repeats itself for ever once another rank has failed is a frequent mistake; without a
// limit it would be a test that does not end.
type limited struct {
	protocols.Proc
	limit clock.Time
}

// withLimit lets the ranks of a program run until then.
func withLimit(program protocols.Program, limit clock.Time) protocols.Program {
	main := program.Main
	program.Main = func(p protocols.Proc) { main(&limited{p, limit}) }
	return program
}

// Calls that take time are looked at; a program that makes only others meets the step limit
// of the machine.

func (l *limited) Send(to int, m mailbox.Message) {
	l.Proc.Send(to, m)
	l.check()
}

func (l *limited) Recv(want mailbox.Want) (from int, m mailbox.Message) {
	from, m = l.Proc.Recv(want)
	l.check()
	return from, m
}

func (l *limited) RecvUntil(want mailbox.Want, t clock.Time) (from int, m mailbox.Message, ok bool) {
	from, m, ok = l.Proc.RecvUntil(want, t)
	l.check()
	return from, m, ok
}

func (l *limited) WaitUntil(t clock.Time) {
	l.Proc.WaitUntil(t)
	l.check()
}

// Linger lets a rank stay that has done its work.
func (l *limited) Linger(want mailbox.Want) (from int, m mailbox.Message) {
	from, m = l.Proc.Linger(want)
	l.check()
	return from, m
}

// Storage is that of the rank, whose calls are looked at as well.
func (l *limited) Storage() protocols.Storage { return &limitedStorage{l.Proc.Storage(), l} }

type limitedStorage struct {
	protocols.Storage
	rank *limited
}

func (s *limitedStorage) Write(name, value string) {
	s.Storage.Write(name, value)
	s.rank.check()
}

func (s *limitedStorage) Delete(name string) {
	s.Storage.Delete(name)
	s.rank.check()
}

func (s *limitedStorage) Sync() {
	s.Storage.Sync()
	s.rank.check()
}

func (s *limitedStorage) Read(name string) (value string, ok bool) {
	value, ok = s.Storage.Read(name)
	s.rank.check()
	return value, ok
}

func (s *limitedStorage) Names() []string {
	names := s.Storage.Names()
	s.rank.check()
	return names
}

func (l *limited) check() {
	if l.Now() > l.limit {
		panic(fmt.Sprintf("emutest: the program goes on after the time limit of %d ticks (see Test.TimeLimit)", l.limit))
	}
}
