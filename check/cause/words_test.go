package cause_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// All that a program may do has words: for what it did, and for what it would have done.
func TestWhatProgramsDoHasWords(t *testing.T) {
	type doing struct {
		do         func(p protocols.Proc)
		did, would string
	}
	all := []doing{
		{func(p protocols.Proc) { p.Storage().Write("log", "x") }, "wrote log", "written log"},
		{func(p protocols.Proc) { p.Storage().Delete("log") }, "deleted log", "deleted log"},
		{func(p protocols.Proc) { p.Storage().Read("log") }, "read log", "read log"},
		{func(p protocols.Proc) { p.Storage().Sync() }, "synced its storage", "synced its storage"},
		{func(p protocols.Proc) { p.Detector().Suspects(2) }, "asked its failure detector", "asked its failure detector"},
		{func(p protocols.Proc) { p.Step("ready") }, "passed step ready", "passed step ready"},
		{func(p protocols.Proc) { send(p, 1, vote, 0, "") }, "sent message vote to rank 1", "sent message vote to rank 1"},
		{func(protocols.Proc) {}, "returned", "returned"},
	}
	for i, late := range all {
		early := all[(i+1)%len(all)]
		x := wanted(3, 0, "early", func(p protocols.Proc, results []string) {
			switch p.Rank() {
			case 0:
				p.Storage().Write("log", "")
				p.Recv(mailbox.From(1))
				if p.Now() > 20 {
					results[0] = "late"
					late.do(p)
				} else {
					results[0] = "early"
					early.do(p)
				}
			case 1:
				send(p, 0, token, 0, "")
			}
		})
		x.detection = emu.Detection{Delay: 9}
		lines := x.explain(t, "late:1@send1+30").Lines()
		require.Contains(t, lines[1], "rank 0 "+late.did+" at t=34")
		require.Contains(t, lines[1], "; it would have "+early.would+" at t=")
	}
}

// Of many changes that were lost a few are named.
func TestManyChangesThatWereLostAreCounted(t *testing.T) {
	for n, want := range map[int]string{
		4: "the change of a at t=0, the change of b at t=1, the change of c at t=2 and the change of d at t=3",
		6: "the change of a at t=0, the change of b at t=1, the change of c at t=2, the change of d at t=3 and 2 more",
	} {
		x := wanted(1, 0, "there", func(p protocols.Proc, results []string) {
			if p.Life() == 0 {
				for _, name := range []string{"a", "b", "c", "d", "e", "f"}[:n] {
					p.Storage().Write(name, "x")
				}
				results[0] = "there"
				p.WaitUntil(50)
				return
			}
			if _, there := p.Storage().Read("a"); there {
				results[0] = "there"
			}
		})
		require.Contains(t, because(t, x, "crash:0@t20,rejoin:0@t30"), "rank 0 lost what no sync had made safe: "+want+"\n")
	}
}
