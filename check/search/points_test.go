package search

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// question has rank 0 ask rank 1, with a named step that it passes twice.
func question() *Subject {
	s := subject(2, protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.Step("ask")
			p.Send(1, mailbox.Message{})
			p.Step("ask")
			p.Recv(mailbox.Any)
			return
		}
		p.Recv(mailbox.Any)
		p.Step("answer")
		p.Send(0, mailbox.Message{})
	}}, reachesNobodyInParticular)
	s.Machine.Overhead = 2
	return s
}

// candidatesOf lists what can fail in the run without faults: how, when it shows, and how many
// faults it stands for.
func candidatesOf(t *testing.T, s *Subject, options ExploreOptions) []string {
	t.Helper()
	options.Faults = 1
	x, err := newExplorer(t.Context(), s, options, newExploration(1), newMeter(nil))
	require.NoError(t, err)
	var all []string
	for _, c := range x.first {
		when := fmt.Sprint(c.shows)
		if c.shows == clock.Never {
			when = "never"
		}
		all = append(all, fmt.Sprintf("%v shows %s, %d", faults.Schedule{c.fault}, when, c.points))
	}
	return all
}

func TestEveryPointOfAProgramIsACandidate(t *testing.T) {
	require.Equal(t, []string{
		"crash:0@t0 shows 0, 1",
		"crash:0@step:ask shows 0, 1",
		"crash:0@before-send1 shows 0, 1",
		"crash:0@send1 shows 0, 1",
		"crash:1@t0 shows 6, 1",
		"crash:1@recv1 shows 6, 1",
		"crash:1@step:answer shows 6, 1",
		"crash:1@before-send1 shows 6, 1",
		"crash:1@send1 shows 6, 1",
		"crash:0@after-send1 shows never, 1",
		"crash:0@step:ask#2 shows never, 1",
		"crash:0@recv1 shows never, 1",
		"crash:1@after-send1 shows never, 1",
	}, candidatesOf(t, question(), ExploreOptions{Kinds: []faults.Kind{faults.Crash}, Every: true}))
}

func TestCandidatesAreClasses(t *testing.T) {
	require.Equal(t, []string{
		"crash:0@t0 shows 0, 8",
		"crash:1@t0 shows 6, 10",
		"crash:0@after-send1 shows never, 6",
		"crash:1@after-send1 shows never, 2",
	}, candidatesOf(t, question(), ExploreOptions{}), "crashes and hangs")
	s := question()
	s.Roots = []int{0}
	require.Equal(t, []string{
		"hang:1@t0 shows 6, 5",
		"hang:1@after-send1 shows never, 1",
	}, candidatesOf(t, s, ExploreOptions{Kinds: []faults.Kind{faults.Hang}}), "and none of a root")
}

// A detector tells of the failure itself, so that each shows when it happens; that of a rank
// which is down from the start was known before.
func TestCandidatesShowAtOnceWithADetector(t *testing.T) {
	s := question()
	s.Machine.Detection = emu.Detection{Delay: 20}
	require.Equal(t, []string{
		"crash:0@t0 shows -1, 1",
		"crash:1@t0 shows -1, 1",
		"crash:0@step:ask shows 0, 1",
		"crash:0@before-send1 shows 0, 1",
		"crash:0@send1 shows 1, 1",
		"crash:0@after-send1 shows 2, 1",
		"crash:0@step:ask#2 shows 2, 1",
		"crash:1@recv1 shows 6, 1",
		"crash:1@step:answer shows 6, 1",
		"crash:1@before-send1 shows 6, 1",
		"crash:1@send1 shows 7, 1",
		"crash:1@after-send1 shows 8, 1",
		"crash:0@recv1 shows 12, 1",
	}, candidatesOf(t, s, ExploreOptions{Kinds: []faults.Kind{faults.Crash}}))
}

// A fault that nobody notices is run if it is the only one: a guarantee may be about the rank
// itself.
func TestFaultsThatNobodyNoticesAreRunAlone(t *testing.T) {
	s := question()
	ran := &diary{}
	s.NewTrial = withJudge(s, ran.judge)
	explore(t, s, ExploreOptions{Faults: 2})
	require.ElementsMatch(t, []string{
		"none", "crash:0@t0", "crash:1@t0", "crash:0@after-send1", "crash:1@after-send1",
	}, ran.schedules)
}

func TestPointsAreThoseOfEachRankInTheirOrder(t *testing.T) {
	s := question()
	machine, err := s.machine(emu.TraceEvents, 1)
	require.NoError(t, err)
	trial, err := s.NewTrial()
	require.NoError(t, err)
	rep, err := machine.Run(t.Context(), trial.Program, emu.Options{Faults: faults.MustParse("crash:1@step:answer")})
	require.NoError(t, err)
	var all []string
	for rank, points := range Points(rep) {
		for _, at := range points {
			all = append(all, faults.Fault{Kind: faults.Crash, Rank: rank, At: at}.String())
		}
	}
	require.Equal(t, []string{
		"crash:0@t0", "crash:0@step:ask", "crash:0@before-send1", "crash:0@send1", "crash:0@after-send1", "crash:0@step:ask#2",
		"crash:1@t0", "crash:1@recv1", "crash:1@step:answer",
	}, all)
}
