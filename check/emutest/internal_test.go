package emutest

import (
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

func TestShortTestsHaveATenthOfTheRandomSchedules(t *testing.T) {
	for random, want := range map[int]int{-3: -3, 0: 0, 1: 1, 15: 1, 1000: 100} {
		require.Equal(t, want, shorter(random))
	}
}

func TestCommandNamesOneTestAndSurvivesTheShell(t *testing.T) {
	v := Violation{Schedule: faults.MustParse("crash:3@step:commit#2")}
	require.Equal(t, `go test -v -run '^TestA$/^P=4\+\(a\)$' github.com/mangrove-emu/mangrove/check/emutest -mangrove.faults='crash:3@step:commit#2'`, v.command(call{"TestA/P=4+(a)", 1}, 0))
	require.Contains(t, v.command(call{"TestA/it's", 1}, 0), ` -run '^TestA$/^it'"'"'s$' `)
}

// With other tags it may be another program.
func TestCommandHasTheTagsOfTheBuild(t *testing.T) {
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "-race", Value: "true"}, {Key: "-tags", Value: "bug,slow"}}}
	require.Equal(t, " -tags bug,slow", buildTags(info))
	info.Settings[1].Key = "-asan"
	require.Empty(t, buildTags(info))
	require.Empty(t, buildTags(nil))
}

func TestReplayPrintsEventsWithNamesOfKinds(t *testing.T) {
	test := Test{
		Machine:    clock.LogP{Ranks: 2, Latency: 2, Overhead: 1},
		Guarantees: []guarantee.Guarantee{guarantee.NoDeadlock{}},
		Program: protocols.Program{
			KindName: func(mailbox.Kind) string { return "vote" },
			Main: func(p protocols.Proc) {
				if p.Rank() == 0 {
					p.Send(1, mailbox.Message{Kind: 3, A: 9})
				}
			},
		},
	}.withDefaults()
	p, err := newPlayer(&test, test.judge, 1, emu.TraceEvents)
	require.NoError(t, err)
	run, err := p.play(t.Context(), nil, 0)
	require.NoError(t, err)
	require.Equal(t, `faults none
    t=0 rank 0 send to 1 kind=vote epoch=0 a=9
    t=0 rank 1 exit
    t=1 rank 0 exit
    t=4 rank 1 receive from 0 kind=vote epoch=0 a=9
1 messages, quiet at t=4
held: no deadlock: no rank waits for ever`, run.text(nil, test.Program.KindName, true))
	require.NotContains(t, run.text(nil, nil, false), "rank 0 send")
}

func TestReplayPrintsNoMoreThanSoManyEvents(t *testing.T) {
	var b strings.Builder
	writeEvents(&b, make([]report.Event, maxEvents+5), nil)
	require.Equal(t, maxEvents+1, strings.Count(b.String(), "\n"))
	require.Contains(t, b.String(), "and 5 more events")
}

func TestSampleLeavesSparedRanksAlone(t *testing.T) {
	test := Test{Machine: clock.LogP{Ranks: 40}, Faults: 1, Spare: []int{5, 6, 15}}.withDefaults()
	sample := test.sample()
	require.Len(t, sample, 6)
	require.Equal(t, "crash:10@after-send1", sample[1].String())
	test.Faults = 0
	require.Empty(t, test.sample())
}

func TestFoldersOfTestsHaveSafeNames(t *testing.T) {
	for name, want := range map[string]string{
		"TestA":              "TestA",
		"TestA/P=4,f=1#01":   "TestA/P=4,f=1#01",
		"TestA/a_b":          "TestA/a_b",
		"TestA/a:b":          "TestA/a_b-" + hashOf("a:b"), // another one than that of a_b
		"TestA/..":           "TestA/_-" + hashOf(".."),
		"TestA/.hidden":      "TestA/_hidden-" + hashOf(".hidden"),
		"TestA/etc.":         "TestA/_etc-" + hashOf("etc."),
		"TestA/":             "TestA/_-" + hashOf(""),
		"TestA/NUL":          "TestA/_NUL-" + hashOf("NUL"),
		"TestA/com1.txt":     "TestA/_com1.txt-" + hashOf("com1.txt"),
		"TestA/run-2":        "TestA/_run-2-" + hashOf("run-2"), // another one than that of the second Run
		"TestA/run-2b":       "TestA/run-2b",
		"TestA/none":         "TestA/none",
		"TestA/größe":        "TestA/gr__e-" + hashOf("größe"),
		"TestA/" + long(300): "TestA/" + long(longestName) + "-" + hashOf(long(300)),
	} {
		require.Equal(t, filepath.FromSlash("testdata/mangrove/"+want), keptFolder(call{name, 1}))
	}
}

// A later call has a folder in that of its test.
func TestFoldersOfLaterCallsAreThoseOfNoSubtest(t *testing.T) {
	second := keptFolder(call{"TestA/some", 2})
	require.Equal(t, filepath.FromSlash("testdata/mangrove/TestA/some/run-2"), second)
	require.NotEqual(t, second, keptFolder(call{"TestA/some/run-2", 1}))
	v := Violation{Schedule: faults.MustParse("crash:3"), Seed: 7}
	require.Contains(t, v.command(call{"TestA", 2}, 0), " -mangrove.faults='crash:3@t0' -mangrove.seed=7 -mangrove.run=2")
	require.NotContains(t, v.command(call{"TestA", 1}, 0), "mangrove.run")
}

// A benchmark repeats what it measures.
func TestABenchmarkMakesOneCall(t *testing.T) {
	b := new(testing.B)
	require.Equal(t, call{"", 1}, nextCall(b))
	require.Equal(t, call{"", 1}, nextCall(b))
}

func long(n int) string { return strings.Repeat("x", n) }

func TestEveryKindHasWordsForItsExclusion(t *testing.T) {
	require.Len(t, excluded, int(faults.Twice)+1)
	for kind := range faults.Twice + 1 {
		require.NotEmpty(t, excluded[kind])
	}
}

// A check may print all that it knows.
func TestAFileHasNotTooManyRemarks(t *testing.T) {
	v := &Violation{Broken: []guarantee.Verdict{{Name: "check", Evidence: strings.Repeat("line\r\n", 100)}}, Schedule: faults.MustParse("crash:0"), Seed: 3}
	text := textOf(v)
	require.Equal(t, maxRemarks+4, strings.Count(text, "\n"))
	require.Contains(t, text, "\n# ...\nfaults: crash:0@t0\nseed: 3\n")
	require.NotContains(t, text, "\r")
	kept, _, err := parseKept(text, &Test{Machine: clock.LogP{Ranks: 4, Latency: 2, Overhead: 1}})
	require.NoError(t, err)
	require.Equal(t, keptFile{schedule: v.Schedule, seed: 3}, kept)
}

func TestAViolationSaysWhatBrokeAndByWhat(t *testing.T) {
	v := Violation{Broken: []guarantee.Verdict{{Name: "check", Evidence: "two leaders"}, {Name: "termination", Evidence: "rank 1 waits"}}, Schedule: faults.MustParse("crash:0"), Seed: 7}
	require.Equal(t, "broken: check: two leaders; broken: termination: rank 1 waits; faults: crash:0@t0, seed: 7", v.String())
}

// The smallest schedule that was found may need all that it has where a larger one can lose most.
func TestALargerFindingMayBecomeTheSmallest(t *testing.T) {
	broken := guarantee.Func("some live", false, func(run guarantee.Run) (bool, string) {
		s := run.Report.Faults
		return !s.Has(faults.Hang) && len(s) < 3, s.String()
	})
	s := newHunt(Test{Machine: clock.LogP{Ranks: 6, Latency: 2, Overhead: 1}, Guarantees: []guarantee.Guarantee{broken}, Random: 1, Kinds: []faults.Kind{faults.Crash, faults.Hang},
		Program: protocols.Program{Main: func(protocols.Proc) {}}}, nil)
	found := search.Violation{
		Broken: []guarantee.Verdict{{Name: "some live"}}, Schedule: faults.MustParse("crash:1,crash:2,crash:3"),
		Others: []search.Found{{Schedule: faults.MustParse("crash:1,crash:2,crash:3,crash:4")}, {Schedule: faults.MustParse("crash:1,crash:2,crash:3,hang:5")}},
	}
	small, err := s.smallestOf(t.Context(), []finding{{Violation: found}}, "some live")
	require.NoError(t, err)
	require.Len(t, small.Schedule, 1, "%v", small.Schedule)
	found.Others = found.Others[:1]
	small, err = s.smallestOf(t.Context(), []finding{{Violation: found}}, "some live")
	require.NoError(t, err)
	require.Len(t, small.Schedule, 3, "%v", small.Schedule)
}
