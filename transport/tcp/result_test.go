package tcp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// Rank 0 is an initiator that somebody has killed, rank 1 has failed on schedule after it had come back, rank 2 is
// back for good and rank 3 waits for rank 1.
func TestAResultIsMadeOfAllLivesOfAllRanks(t *testing.T) {
	c := startedCoordinator(t, 4)
	c.cfg.Initiators = []int{0}
	c.cfg.Faults = faults.MustParse("crash:1@t5,rejoin:1@t8,crash:1@send2,hang:2@t4,rejoin:2@t9,crash:3@t90,slow:3x2@recv1")
	c.cfg.Pace, c.cfg.Seed = Sends, 7
	ended := func(rank int, outcome report.Outcome, coloured, exit clock.Time, happened ...faults.Happening) rankReport {
		return rankReport{
			Rank: rank, RankResult: report.RankResult{Outcome: outcome, Coloured: coloured, Exit: exit},
			Sends: 10, Quiescence: exit - 1, Late: clock.Time(10 - rank), History: faults.History{Happened: happened},
		}
	}
	c.noteFailure(failure{ended(1, report.Crashed, 3, 5, faults.Happening{Place: 0, Time: 5}), 0})
	c.noteFailure(failure{ended(2, report.Hung, clock.Never, 6, faults.Happening{Place: 3, Time: 6}), 3})
	c.noteFailure(failure{unheard(0, report.Crashed, 7), unscheduled})
	c.noteRejoin(report.Rejoin{Rank: 2, Time: 11}, 9)
	c.noteRejoin(report.Rejoin{Rank: 1, Time: 8}, 8)
	require.Equal(t, []faults.Happening{{Place: 0, Time: 5}, {Place: 1, Time: 8}}, c.histories[1].Happened)
	c.noteFailure(failure{ended(1, report.Crashed, 12, 20, append(c.histories[1].Happened, faults.Happening{Place: 2, Time: 20})...), 2})
	c.members[2].report = []rankReport{ended(2, report.Finished, 15, 30, c.histories[2].Happened...)}
	waits := ended(3, report.Deadlocked, clock.Never, clock.Never, faults.Happening{Place: 6, Time: 3})
	waits.Quiescence, waits.State = 2, []byte("left")
	waits.Wait = &report.Wait{Rank: 3, Call: "Recv", Want: "any from 1", From: 1, Since: 4}
	c.members[3].report = []rankReport{waits}

	res := c.result()
	require.Equal(t, []report.RankResult{
		{Outcome: report.Crashed, Coloured: 0, Exit: 7},
		{Outcome: report.Crashed, Coloured: 3, Exit: 20},
		{Outcome: report.Finished, Coloured: 15, Exit: 30},
		{Outcome: report.Deadlocked, Coloured: clock.Never, Exit: clock.Never},
	}, res.Ranks)
	require.Equal(t, []report.Failure{{Rank: 0, Outcome: report.Crashed, Time: 7}, {Rank: 1, Outcome: report.Crashed, Time: 20}}, res.Failed)
	require.Equal(t, []report.Failure{{Rank: 0, Outcome: report.Crashed, Time: 7}}, res.Unscheduled)
	require.Equal(t, []report.Rejoin{{Rank: 1, Time: 8}, {Rank: 2, Time: 11}}, res.Rejoined, "ordered by time")
	require.Equal(t, []int{3}, res.Unreached)
	require.Equal(t, "rank 3 in Recv(any from 1) since t=4: rank 1 crashed at t=20", res.Deadlocks[0].String())
	require.Equal(t, "crash:3@t90", res.Unfired.String())
	require.Equal(t, int64(50), res.Messages)
	require.Equal(t, clock.Time(15), res.Colouring)
	require.Equal(t, clock.Time(29), res.Quiescence)
	require.Equal(t, clock.Time(30), res.Exit)
	require.Equal(t, clock.Time(9), res.Late)
	require.Equal(t, c.cfg.LogP, res.LogP)
	require.Equal(t, c.cfg.Faults, res.Faults)
	require.Equal(t, uint64(7), res.Seed)
	require.Equal(t, [][]byte{nil, nil, nil, []byte("left")}, res.States)

	require.True(t, res.Paced)
	c.cfg.Pace = Free
	require.False(t, c.result().Paced, "nobody tried to keep up")
}

// What a process reports must be about its own ranks, and make sense.
func TestReportsThatMakeNoSenseAreRefused(t *testing.T) {
	good := func() []rankReport {
		return []rankReport{{Rank: 1, RankResult: report.RankResult{Outcome: report.Deadlocked}, Wait: &report.Wait{Rank: 1, From: 7}}}
	}
	c := startedCoordinator(t, 2)
	require.EqualError(t, c.checkReport(c.members[1], good()), "report before the run is over")
	c.over = true
	require.NoError(t, c.checkReport(c.members[1], good()))
	require.EqualError(t, c.checkReport(c.members[0], good()), "report about rank 1, want 0")
	for says, spoil := range map[string]func(p *[]rankReport){
		"report about 2 ranks, want 1":                                   func(p *[]rankReport) { *p = append(*p, (*p)[0]) },
		"report about rank 0, want 1":                                    func(p *[]rankReport) { (*p)[0].Rank = 0 },
		"report about rank 1, which has hung without having said so":     func(p *[]rankReport) { (*p)[0].Outcome = report.Hung },
		"report about rank 1, which has deadlocked and waits in nothing": func(p *[]rankReport) { (*p)[0].Wait = nil },
		"report about rank 1, which has finished and waits in {Rank:1":   func(p *[]rankReport) { (*p)[0].Outcome = report.Finished },
		"report about rank 1, which has deadlocked and waits in {Rank:0": func(p *[]rankReport) { (*p)[0].Wait.Rank = 0 },
		"From:-2": func(p *[]rankReport) { (*p)[0].Wait.From = -2 },
	} {
		bad := good()
		spoil(&bad)
		require.ErrorContains(t, c.checkReport(c.members[1], bad), says)
	}
	c.down[1] = true
	failed := good()
	failed[0].Outcome = report.Hung
	require.NoError(t, c.checkReport(c.members[1], failed), "it has said so before")
}
