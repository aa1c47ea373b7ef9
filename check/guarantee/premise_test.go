package guarantee_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/report"
)

func TestPremisesAboutFailures(t *testing.T) {
	before, first, later, last := crash(2, 0), crash(5, 1), crash(3, 17), crash(8, 18)
	hung := report.Failure{Rank: 4, Outcome: report.Hung, Time: 6}
	for name, c := range map[string]struct {
		premise guarantee.Premise
		failed  []report.Failure
		unmet   string
	}{
		"nobody, and nobody did":               {guarantee.NobodyFails, nil, ""},
		"nobody, but before":                   {guarantee.NobodyFails, []report.Failure{before}, "rank 2 crashed at t=0"},
		"nobody, but one hung":                 {guarantee.NobodyFails, []report.Failure{hung}, "rank 4 hung at t=6"},
		"nobody, but two":                      {guarantee.NobodyFails, []report.Failure{before, later}, "2 ranks failed"},
		"at most two, and nobody did":          {guarantee.AtMostFailures(2), nil, ""},
		"at most two, and two did":             {guarantee.AtMostFailures(2), []report.Failure{before, later}, ""},
		"at most two, but three":               {guarantee.AtMostFailures(2), []report.Failure{before, later, last}, "3 ranks failed"},
		"at most none, but before":             {guarantee.AtMostFailures(0), []report.Failure{before}, "rank 2 crashed at t=0"},
		"at most one meanwhile, one did":       {guarantee.AtMostFailuresMeanwhile(1), []report.Failure{before, later}, ""},
		"at most one meanwhile, but two":       {guarantee.AtMostFailuresMeanwhile(1), []report.Failure{before, later, last}, "2 ranks failed"},
		"at most none meanwhile, but one":      {guarantee.AtMostFailuresMeanwhile(0), []report.Failure{before, later}, "rank 3 crashed at t=17"},
		"nobody meanwhile, and nobody did":     {guarantee.NoFailureMeanwhile, nil, ""},
		"nobody meanwhile, one before":         {guarantee.NoFailureMeanwhile, []report.Failure{before}, ""},
		"nobody meanwhile, but in the first":   {guarantee.NoFailureMeanwhile, []report.Failure{first}, "rank 5 crashed at t=1"},
		"nobody meanwhile, but two":            {guarantee.NoFailureMeanwhile, []report.Failure{before, later, last}, "2 ranks failed"},
		"the root lives, and nobody failed":    {guarantee.RootsLive, nil, ""},
		"the root lives, others do not":        {guarantee.RootsLive, []report.Failure{before, later}, ""},
		"the root lives, but failed before":    {guarantee.RootsLive, []report.Failure{crash(0, 0)}, "rank 0 crashed at t=0"},
		"the root lives, but failed meanwhile": {guarantee.RootsLive, []report.Failure{crash(0, 9), before}, "rank 0 crashed at t=9"},
	} {
		t.Run(name, func(t *testing.T) {
			run := guarantee.Run{Report: reported(9, c.failed...), Roots: []int{0}}
			require.Equal(t, c.unmet, c.premise.Unmet(run))
		})
	}
}

func TestPremisesSayWhatTheyPresuppose(t *testing.T) {
	for want, premise := range map[string]guarantee.Premise{
		"the root lives":                               guarantee.RootsLive,
		"nobody fails":                                 guarantee.NobodyFails,
		"nobody fails after t=0":                       guarantee.NoFailureMeanwhile,
		"nobody is slow":                               guarantee.NobodySlow,
		"nobody comes back":                            guarantee.NobodyCameBack,
		"no links are cut":                             guarantee.LinksHold,
		"no message is lost":                           guarantee.NothingLost,
		"every message arrives":                        guarantee.EveryMessageArrives,
		"no message arrives twice":                     guarantee.ArrivesOnce,
		"no message is late":                           guarantee.InTime,
		"every message arrives, and nobody comes back": guarantee.Undisturbed,
		"at most 0 failures":                           guarantee.AtMostFailures(0),
		"at most 1 failure":                            guarantee.AtMostFailures(1),
		"at most 2 failures":                           guarantee.AtMostFailures(2),
		"at most 1 failure after t=0":                  guarantee.AtMostFailuresMeanwhile(1),
		"at most 3 failures after t=0":                 guarantee.AtMostFailuresMeanwhile(3),
	} {
		require.Equal(t, want, premise.Says)
	}
}

// A plain tree does not stand ranks that are down from the start. A premise about failures during the run does
// not help it there.
func TestAPremiseIsNoExcuseInRunsThatMeetIt(t *testing.T) {
	g := guarantee.When(guarantee.NoFailureMeanwhile, guarantee.ReachesEveryLiveRank{})
	requireVerdict(t, run(t, 8, plainTree(8), "none"), g, held, "all 8 live ranks reached")
	requireVerdict(t, run(t, 8, plainTree(8), "crash:1@t2"), g, unclaimed, "nobody fails after t=0 (rank 1 crashed at t=2)")
	requireVerdict(t, run(t, 8, plainTree(8), "crash:1"), g, broken, "ranks 3, 5 and 7 never reached")
}
