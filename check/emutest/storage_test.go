package emutest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// voting has rank 0 vote for each of the others that asks, but only once: a vote is kept in its storage, made safe or not before
// it is told.
func voting(sync bool) emutest.Test {
	return emutest.Test{
		Machine: machine(3),
		Disk:    clock.Disk{Write: 1, Sync: 9},
		New: func() emutest.Instance {
			won := make([]bool, 3)
			return emutest.Instance{
				Program: protocols.Program{Main: func(p protocols.Proc) {
					if p.Rank() == 0 {
						ballot(p, sync)
						return
					}
					for range 4 { // whoever does not answer may come back
						p.Send(0, mailbox.Message{})
						if _, m, ok := p.RecvUntil(mailbox.From(0), p.Now()+30); ok {
							won[p.Rank()] = m.A == int64(p.Rank())
							return
						}
					}
				}},
				Prepare: func() { clear(won) },
				Check: func(*report.Report) error {
					if won[1] && won[2] {
						return fmt.Errorf("rank 0 has voted for both")
					}
					return nil
				},
			}
		},
		Faults:  2,
		Random:  500,
		Rejoins: []clock.Time{5, 20},
	}
}

func ballot(p protocols.Proc, sync bool) {
	disk := p.Storage()
	for {
		from, _, ok := p.RecvUntil(mailbox.Any, 300)
		if !ok {
			return
		}
		voted, known := disk.Read("vote")
		if !known {
			voted = fmt.Sprint(from)
			disk.Write("vote", voted)
			if sync {
				disk.Sync()
			}
		}
		p.Send(from, mailbox.Message{A: int64(voted[0] - '0')})
	}
}

func TestAForgottenSyncIsFoundAndMadeSmall(t *testing.T) {
	f := run(t, voting(false))
	require.Contains(t, f.all(), "rank 0 has voted for both")
	require.Contains(t, f.all(), "faults: crash:0@after-send1,rejoin:0@t")
	f = run(t, voting(true))
	require.False(t, f.failed(), f.all())
}

// A schedule of the list keeps what it says.
func TestAScheduleOfTheListKeepsChanges(t *testing.T) {
	for text, wrong := range map[string]bool{"crash:0@after-send1,rejoin:0@t20": true, "crash:0@after-send1:kept1,rejoin:0@t20": false} {
		test := voting(false)
		test.Exact, test.Faults, test.Random, test.Rejoins = true, 0, 0, nil
		test.Schedules = []faults.Schedule{faults.MustParse(text)}
		f := run(t, test)
		require.Equal(t, wrong, strings.Contains(f.all(), "rank 0 has voted for both"), "%s: %s", text, f.all())
	}
}

// A program that goes on writing for ever is stopped as one that goes on sending.
func TestTheTimeLimitCountsForStorage(t *testing.T) {
	for name, call := range map[string]func(protocols.Storage){
		"write": func(s protocols.Storage) { s.Write("a", "1") }, "delete": func(s protocols.Storage) { s.Delete("a") },
		"sync": protocols.Storage.Sync, "read": func(s protocols.Storage) { s.Read("a") }, "names": func(s protocols.Storage) { s.Names() },
	} {
		f := run(t, emutest.Test{
			Machine:    machine(1),
			Disk:       clock.Disk{Write: 3, Sync: 3, Read: 3},
			Guarantees: []guarantee.Guarantee{guarantee.Termination{}},
			Program: protocols.Program{Main: func(p protocols.Proc) {
				for {
					call(p.Storage())
				}
			}},
			TimeLimit: 100,
		})
		require.Contains(t, f.all(), "emutest: the program goes on after the time limit of 100 ticks", name)
	}
}
