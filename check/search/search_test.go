package search

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const reaches = "reaches all"

// reachesAll is the guarantee of a broadcast.
func reachesAll(rep *report.Report) []guarantee.Verdict {
	return []guarantee.Verdict{{Name: reaches, Value: guarantee.ValueOf(len(rep.Unreached) == 0)}}
}

// subject makes one of a program and its judge.
func subject(ranks int, program protocols.Program, judge func(*report.Report) []guarantee.Verdict) *Subject {
	return &Subject{
		Machine:  emu.Config{LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}},
		Roots:    program.Initiators,
		NewTrial: func() (Trial, error) { return Trial{Program: program, Judge: judge}, nil },
	}
}

// spread is a broadcast over the binomial tree.
func spread(t testing.TB, ranks int, n tree.Numbering, c correction.Correction) *Subject {
	t.Helper()
	shape, err := tree.NewBinomial(ranks, n)
	require.NoError(t, err)
	b, err := broadcast.New(clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, broadcast.Options{Tree: shape, Correction: c})
	require.NoError(t, err)
	return subject(ranks, b.Program(mailbox.Message{}), reachesAll)
}
