package emutest_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
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

// ofFake is the folder of the test that fakeTB pretends to be.
const ofFake = "testdata/mangrove/TestFake/some_case"

// keeping has tests keep what they find, in a folder that is returned.
func keeping(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	t.Setenv("MANGROVE_KEEP", "on")
	before := emutest.SetPackageFolder(folder)
	t.Cleanup(func() { emutest.SetPackageFolder(before) })
	return folder
}

// keepFile puts a file where the fake test finds it.
func keepFile(t *testing.T, folder, name, text string) {
	t.Helper()
	path := filepath.Join(folder, ofFake, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
}

// filesOf lists all files of a folder, by their paths, with what is in them.
func filesOf(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		inside, _ := filepath.Rel(folder, path)
		files[filepath.ToSlash(inside)] = string(text)
		return err
	}))
	return files
}

// namesIn lists the files of a folder.
func namesIn(t *testing.T, folder string) []string {
	t.Helper()
	var names []string
	for name := range filesOf(t, folder) {
		names = append(names, name)
	}
	return names
}

const ringFile = `mangrove test v1
# broken: reaches every live rank
#     ranks 2, 3 and 4 never reached
# broken: no deadlock
#     ranks 2, 3 and 4 waiting for ever
faults: crash:1@t0
seed: 0
`

func TestWhatIsFoundIsKeptWithItsPage(t *testing.T) {
	folder := keeping(t)
	f := run(t, ringTest(1, 1))
	require.Len(t, f.errors, 1)
	require.Contains(t, f.errors[0], `
faults: crash:1@t0 (the smallest found; 24 of 35 runs break this)
because, compared with the run without crash:1@t0:
    rank 2 waits for ever in Recv(any) since t=0; so do 2 more
    it did not get the message from rank 1, which would have come at t=8
    rank 1 did not send the message to rank 2: it crashed at t=0 (crash:1@t0)
without crash:1@t0: holds
again, with all events:
    go test -v -run '^TestFake$/^some_case$' github.com/mangrove-emu/mangrove/check/emutest -mangrove.faults='crash:1@t0'
kept in testdata/mangrove/TestFake/some_case/c883f303: the next go test runs it first
page: testdata/mangrove/TestFake/some_case/c883f303.html`)
	require.NotContains(t, f.errors[0], "Schedules:", "the file does that")
	files := filesOf(t, folder)
	require.Len(t, files, 3)
	require.Equal(t, ringFile, files[ofFake+"/c883f303"])
	require.Contains(t, files["testdata/mangrove/.gitignore"], "\n*.html\n")
	page := files[ofFake+"/c883f303.html"]
	require.Contains(t, page, "<title>mangrove: TestFake/some_case faults=crash:1@t0 seed=0</title>")
	require.Contains(t, page, `{"name":"again","text":"go test -v -run '^TestFake$/^some_case$' github.com/mangrove-emu/mangrove/check/emutest -mangrove.faults='crash:1@t0'"}`)
	require.Contains(t, page, `{"name":"messages","text":"1"}`)
	require.Contains(t, page, `"spreads":true`, "rank 0 begins")
	require.Contains(t, page, `{"name":"reaches every live rank","held":false,"verdict":"broken",`)
}

func TestWhatIsKeptIsRunFirstAndEndsTheTestIfItBreaksStill(t *testing.T) {
	folder := keeping(t)
	run(t, ringTest(1, 1))
	require.NoError(t, os.Remove(filepath.Join(folder, ofFake, "c883f303.html")))
	files := filesOf(t, folder)
	f := run(t, ringTest(1, 1))
	require.Equal(t, []string{`broken: reaches every live rank
    ranks 2, 3 and 4 never reached
broken: no deadlock
    ranks 2, 3 and 4 waiting for ever
faults: crash:1@t0 (kept in testdata/mangrove/TestFake/some_case/c883f303)
because, compared with the run without crash:1@t0:
    rank 2 waits for ever in Recv(any) since t=0; so do 2 more
    it did not get the message from rank 1, which would have come at t=8
    rank 1 did not send the message to rank 2: it crashed at t=0 (crash:1@t0)
without crash:1@t0: holds
again, with all events:
    go test -v -run '^TestFake$/^some_case$' github.com/mangrove-emu/mangrove/check/emutest -mangrove.faults='crash:1@t0'
page: testdata/mangrove/TestFake/some_case/c883f303.html`}, f.errors)
	require.Equal(t, []string{"nothing else was tried: 1 of 1 kept schedule to be mended first"}, f.logs)
	again := filesOf(t, folder)
	require.Contains(t, again, ofFake+"/c883f303.html", "pages are not committed, and made again")
	delete(again, ofFake+"/c883f303.html")
	require.Equal(t, files, again)
}

// Each file is to be mended, whether they break the same or not, and they are run in the order of their names.
func TestEachKeptFileThatBreaksIsReported(t *testing.T) {
	folder := keeping(t)
	keepFile(t, folder, "c", "mangrove test v1\nfaults: crash:1\n")
	keepFile(t, folder, "a", "mangrove test v1\nfaults: crash:2\n")
	keepFile(t, folder, "b", "mangrove test v1\nfaults: crash:3@after-send1\n")
	f := run(t, ringTest(1, 1))
	require.Len(t, f.errors, 2)
	require.Contains(t, f.errors[0], "faults: crash:2@t0 (kept in "+ofFake+"/a)")
	require.Contains(t, f.errors[1], "faults: crash:1@t0 (kept in "+ofFake+"/c)")
	require.Equal(t, []string{"nothing else was tried: 2 of 3 kept schedules to be mended first"}, f.logs)
}

func TestWhatIsMendedGoesOnBeingRun(t *testing.T) {
	folder := keeping(t)
	run(t, ringTest(1, 1))
	files := filesOf(t, folder)
	f := run(t, ringTest(2, 1))
	require.False(t, f.failed(), f.all())
	require.Equal(t, []string{"48 runs, 43 different, 1 kept schedule, 47 schedules of up to 1 fault covered"}, f.logs)
	require.Equal(t, files, filesOf(t, folder))
}

// Whoever reads the summary should not take them for tests.
func TestTheSummaryNamesWhatOfTheKeptNeverHappens(t *testing.T) {
	folder := keeping(t)
	keepFile(t, folder, "a", "mangrove test v1\nfaults: crash:1@step:gone\n")
	f := run(t, ringTest(2, 1))
	require.False(t, f.failed(), f.all())
	require.Equal(t, []string{"48 runs, 43 different, 1 kept schedule (crash:1@step:gone never happens: " + filepath.FromSlash(ofFake) + "/a), 47 schedules of up to 1 fault covered"}, f.logs)
	keepFile(t, folder, "b", "mangrove test v1\nfaults: crash:1@after-send1\n")
	keepFile(t, folder, "c", "mangrove test v1\nfaults: late:0@send1+1,late:0@send9+1,late:0@send8+1\n")
	test := ringTest(2, 1)
	test.Exact = false
	require.Contains(t, run(t, test).all(), "3 kept schedules (crash:1@step:gone never happens: "+filepath.FromSlash(ofFake)+"/a; late:0@send9+1,late:0@send8+1 never happen: "+filepath.FromSlash(ofFake)+"/c), ")
}

// Nobody need come back whom the test lets come back.
func TestWhatIsGivenMayNeverHappen(t *testing.T) {
	folder := keeping(t)
	keepFile(t, folder, "a", "mangrove test v1\nfaults: rejoin:0@t90,rejoin:1@t90,crash:1@after-send1\n")
	f := run(t, givenTest("rejoin:0@t90,rejoin:1@t90", func(*report.Report) error { return nil }))
	require.False(t, f.failed(), f.all())
	require.Contains(t, f.all(), ", 1 kept schedule, ")
}

// Without faults everything may be broken; that says more than what was kept.
func TestKeptFilesAreRunAfterTheRunWithoutFaultsAndBeforeAllElse(t *testing.T) {
	folder := keeping(t)
	keepFile(t, folder, "b", "mangrove test v1\nfaults: crash:2\nseed: 9")
	keepFile(t, folder, "a", "mangrove test v1\r\n\r\n  # a remark\r\nfaults: crash:1@after-send1\r\n")
	var seen []string
	test := ringTest(2, 0)
	test.Seed = 5
	test.Schedules = []faults.Schedule{faults.MustParse("crash:4")}
	test.Guarantees = []guarantee.Guarantee{guarantee.Func("looks", false, func(run guarantee.Run) (bool, string) {
		seen = append(seen, run.Report.Faults.String()+" "+string(rune('0'+run.Report.Seed)))
		return true, ""
	})}
	f := run(t, test)
	require.False(t, f.failed(), f.all())
	require.Equal(t, []string{ // each of them twice
		"none 5", "none 5", "crash:1@after-send1 5", "crash:1@after-send1 5", "crash:2@t0 9", "crash:2@t0 9", "crash:4@t0 5", "crash:4@t0 5",
	}, seen)
	require.Contains(t, f.all(), "4 runs, 4 different, 2 kept schedules")
}

// unlucky is broken with odd seeds if somebody is late.
func unlucky() emutest.Test {
	return emutest.Test{
		Machine: machine(2),
		Program: ring(1),
		Seed:    4,
		Random:  300,
		Guarantees: []guarantee.Guarantee{guarantee.Func("luck", false, func(run guarantee.Run) (bool, string) {
			return run.Report.Seed%2 == 0 || run.Report.NobodyFailed(), "bad luck"
		})},
	}
}

func TestASeedIsKeptWithItsSchedule(t *testing.T) {
	folder := keeping(t)
	f := run(t, unlucky())
	require.Contains(t, f.all(), "faults: crash:0@t0, seed: 5 (the smallest found")
	require.Len(t, namesIn(t, folder), 3)
	f = run(t, unlucky())
	require.Contains(t, f.all(), "faults: crash:0@t0, seed: 5 (kept in "+ofFake+"/")
	for name, text := range filesOf(t, folder) {
		if filepath.Ext(name) == "" {
			require.Contains(t, text, "\nfaults: crash:0@t0\nseed: 5\n")
		}
	}
}

// moody breaks its promise only once more than so many runs have been made, so that what is kept passes and what is searched for does not.
func moody() emutest.Test {
	test := ringTest(1, 1)
	var runs atomic.Int64
	test.Guarantees = []guarantee.Guarantee{guarantee.Func("mood", false, func(run guarantee.Run) (bool, string) {
		return runs.Add(1) <= 4 || run.Report.NobodyFailed(), "bad mood"
	})}
	return test
}

// What a person has written in a file stays.
func TestFilesThatAreThereAreNotWrittenAnew(t *testing.T) {
	for text, want := range map[string]string{
		"mangrove test v1\n# a remark\nfaults: crash:1": "c883f303", // the same
		"mangrove test v1\nfaults: crash:4@recv1":       "c883f303-2",
		"mangrove test v1\nfaults: crash:1\nseed: 7":    "c883f303-2",
	} {
		folder := keeping(t)
		keepFile(t, folder, "c883f303", text)
		f := run(t, moody())
		require.Contains(t, f.all(), "\nkept in "+ofFake+"/"+want+": the next go test runs it first\npage: "+ofFake+"/"+want+".html")
		require.Equal(t, text, filesOf(t, folder)[ofFake+"/c883f303"])
		require.Contains(t, filesOf(t, folder)[ofFake+"/"+want], "faults: crash:1")
	}
}

// Whoever deletes it wants pages to be committed.
func TestGitIsToldOnce(t *testing.T) {
	folder := keeping(t)
	run(t, ringTest(1, 1))
	require.NoError(t, os.Remove(filepath.Join(folder, "testdata/mangrove/.gitignore")))
	run(t, ringTest(1, 1))
	require.NotContains(t, namesIn(t, folder), "testdata/mangrove/.gitignore")
}

// A test that has no more time says what it has found, and keeps that.
func TestWhatIsFoundBeforeTheDeadlineIsKept(t *testing.T) {
	folder := keeping(t)
	ctx, cancel := context.WithCancel(t.Context())
	test := ringTest(1, 1)
	var runs atomic.Int64
	test.Guarantees = append(test.Guarantees, guarantee.Func("cancels", false, func(guarantee.Run) (bool, string) {
		if runs.Add(1) == 30 {
			cancel()
		}
		return true, ""
	}))
	f := &fakeTB{TB: t, ctx: ctx}
	f.run(test)
	require.Contains(t, f.fatal, "not complete")
	require.Contains(t, f.errors[0], "\npage: "+ofFake+"/c883f303.html")
	require.Len(t, filesOf(t, folder), 3)
}

func TestPagesNameTheKindsOfMessages(t *testing.T) {
	folder := keeping(t)
	viewOnly(t, "run.html")
	run(t, emutest.Test{
		Machine:    machine(2),
		Guarantees: []guarantee.Guarantee{guarantee.NoDeadlock{}},
		Program: protocols.Program{
			KindName: func(mailbox.Kind) string { return "greeting" },
			Main:     func(p protocols.Proc) { p.Send(1-p.Rank(), mailbox.Message{}) },
		},
	})
	require.Contains(t, filesOf(t, folder)["run.html"], `"kinds":["greeting"]`)
	require.Contains(t, filesOf(t, folder)["run.html"], `"spreads":false`, "nobody begins")
}

func TestTheSameFindingHasTheSameFile(t *testing.T) {
	folder := keeping(t)
	run(t, ringTest(1, 1))
	names := namesIn(t, folder)
	require.NoError(t, os.RemoveAll(filepath.Join(folder, ofFake)))
	run(t, ringTest(1, 1))
	require.ElementsMatch(t, names, namesIn(t, folder))
}

// A test without faults is run in any case, and so are those of the list.
func TestWhatIsRunInAnyCaseHasOnlyAPage(t *testing.T) {
	folder := keeping(t)
	test := ringTest(1, 1)
	test.Guarantees = []guarantee.Guarantee{guarantee.Termination{By: 3}}
	f := run(t, test)
	require.Contains(t, f.errors[0], "\nfaults: none\nbecause:\n    what led rank 1 to t=5: ")
	require.True(t, strings.HasSuffix(f.errors[0], "\npage: "+ofFake+"/none.html"), f.errors[0])
	require.ElementsMatch(t, []string{"testdata/mangrove/.gitignore", ofFake + "/none.html"}, namesIn(t, folder))

	folder = keeping(t)
	test = ringTest(1, 0)
	test.Schedules = []faults.Schedule{faults.MustParse("crash:0,crash:3@send1")}
	f = run(t, test)
	require.Contains(t, f.errors[0], "\nfaults: crash:1@t0 (the smallest found; ")
	require.NotContains(t, f.errors[0], "kept")
	require.ElementsMatch(t, []string{"testdata/mangrove/.gitignore", ofFake + "/c883f303.html"}, namesIn(t, folder))
}

func TestAPackageThatIsReadOnlyIsLeftAlone(t *testing.T) {
	folder := keeping(t)
	require.NoError(t, os.Chmod(folder, 0o555)) // as the module cache is, also for those who may write everywhere
	t.Cleanup(func() { require.NoError(t, os.Chmod(folder, 0o755)) })
	f := run(t, ringTest(1, 1))
	require.Empty(t, f.fatal)
	require.Contains(t, f.errors[0], `
not kept: the folder of the package is read-only
in every run of the test from now on:
    Schedules: []faults.Schedule{faults.MustParse("crash:1@t0")},`)
	require.Empty(t, filesOf(t, folder))
	test := ringTest(1, 0)
	test.Schedules = []faults.Schedule{faults.MustParse("crash:1")}
	require.Contains(t, run(t, test).errors[0], "\nno page: the folder of the package is read-only")
}

func TestWhatIsInTheWayIsNamed(t *testing.T) {
	folder := keeping(t)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "testdata"), nil, 0o600))
	require.Contains(t, run(t, ringTest(1, 1)).errors[0], "\nnot kept: some_case: not a directory\nin every run")

	folder = keeping(t)
	require.NoError(t, os.MkdirAll(filepath.Join(folder, ofFake, "c883f303.html"), 0o777))
	require.Contains(t, run(t, ringTest(1, 1)).errors[0], "c883f303: the next go test runs it first\nno page: it is a directory")
}

func TestTestsWriteNothingIfToldSo(t *testing.T) {
	folder := keeping(t)
	t.Setenv("MANGROVE_KEEP", "off")
	f := run(t, ringTest(1, 1))
	require.Contains(t, f.errors[0], "faults: crash:1@t0 (the smallest found; ")
	require.NotContains(t, f.errors[0], "kept")
	require.NotContains(t, f.errors[0], "page")
	require.Contains(t, f.errors[0], "Schedules: ")
	require.Empty(t, filesOf(t, folder))
	keepFile(t, folder, "mine", "mangrove test v1\nfaults: crash:2\n")
	require.Contains(t, run(t, ringTest(1, 1)).errors[0], "(kept in "+ofFake+"/mine)", "it is run")
}

// A test that finds nothing has it wrong, too, and one that finds something does not lose it.
func TestAWrongVariableIsRefusedBeforeTheSearch(t *testing.T) {
	keeping(t)
	t.Setenv("MANGROVE_KEEP", "no")
	for _, test := range []emutest.Test{ringTest(2, 1), ringTest(1, 1)} {
		f := run(t, test)
		require.Equal(t, "MANGROVE_KEEP=no, want on or off", f.fatal)
		require.Empty(t, f.errors)
		require.Empty(t, f.logs)
	}
}

func TestOneScheduleAloneIsNotKept(t *testing.T) {
	folder := keeping(t)
	keepFile(t, folder, "mine", "mangrove test v1\nfaults: crash:2\n")
	replayOnly(t, "crash:3@send1")
	f := run(t, ringTest(1, 1))
	require.Len(t, f.errors, 1)
	require.NotContains(t, f.all(), "kept")
	require.Len(t, filesOf(t, folder), 1)
}

func TestARunWithoutAnEndHasNoPage(t *testing.T) {
	folder := keeping(t)
	f := run(t, emutest.Test{
		Machine:    machine(2),
		Guarantees: []guarantee.Guarantee{guarantee.NoDeadlock{}},
		Program: protocols.Program{Main: func(p protocols.Proc) {
			if p.Rank() == 0 {
				p.Send(1, mailbox.Message{})
			} else if _, _, ok := p.RecvUntil(mailbox.Any, 20); !ok {
				panic("nothing heard")
			}
		}},
		Faults: 1, Exact: true,
	})
	require.Contains(t, f.errors[0], "rank 1 panicked at t=20: nothing heard\nfaults: crash:0@t0 ")
	require.Contains(t, f.errors[0], ": the next go test runs it first\nno page: the run has no end")
	require.Len(t, filesOf(t, folder), 2)
}

// Pages are made by a run of their own, in which checks may misbehave as in any other.
func TestACheckThatPanicsHasAPage(t *testing.T) {
	folder := keeping(t)
	test := ringTest(2, 1)
	test.New = func() emutest.Instance {
		return emutest.Instance{Program: ring(2), Check: func(rep *report.Report) error {
			if rep.Events != nil {
				return errors.New("it has not asked for events")
			}
			if rep.Ranks[3].Outcome.Failed() {
				panic("index out of mind")
			}
			return nil
		}}
	}
	test.Program = protocols.Program{}
	f := run(t, test)
	require.Contains(t, f.errors[0], "\npage: ")
	for name, text := range filesOf(t, folder) {
		if filepath.Ext(name) == ".html" {
			require.Contains(t, text, "it panicked: index out of mind")
		}
	}
}

func TestFilesThatAreWrongAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   `:1: "", want "mangrove test v1": everything in this folder is run as a schedule, but for .html and what begins with a dot`,
		"faults: none":                       `:1: "faults: none", want "mangrove test v1": everything`,
		"mangrove test v2\nfaults: none":     `:1: "mangrove test v2", want "mangrove test v1": this is another version of Mangrove than the one that has written the file`,
		"mangrove test v1\nfaults:\nseed: 1": `:2: faults: is empty, want a schedule, or none`,
		strings.Repeat("x", 100):             `:1: "` + strings.Repeat("x", 80) + `"..., want "mangrove test v1": everything`,
		strings.Repeat("x", 1<<20):           `:1: "` + strings.Repeat("x", 80) + `"..., want "mangrove test v1": everything`,
		strings.Repeat("x", 1<<20+1):         `: larger than 1 MiB: everything in this folder is run as a schedule`,
		"mangrove test v1\n" + strings.Repeat("x", 81):         `:2: "` + strings.Repeat("x", 80) + `"..., want faults: SCHEDULE`,
		"mangrove test v1\n# nothing\n":                        `:2: the file ends without a schedule, want faults: SCHEDULE`,
		"mangrove test v1\nfault: none":                        `:2: "fault: none", want faults: SCHEDULE, seed: NUMBER, or # and a remark`,
		"mangrove test v1\n\nfaults: crush:1":                  `:3: faults: item 1 "crush:1"`,
		"mangrove test v1\nfaults: crash:5":                    `:2: faults: crash:5@t0: rank 5, want 0 to 4; if the test is right, delete the file`,
		"mangrove test v1\nfaults: crash:~1":                   `:2: faults: one run cannot draw ranks; want their numbers`,
		"mangrove test v1\nfaults: none\nseed: -1":             `:3: seed "-1", want a number from 0 to 18446744073709551615`,
		"mangrove test v1\nfaults: none\nfaults: crash:1":      `:3: "faults" for the second time, want it once`,
		"mangrove test v1\n# spared\nfaults: crash:0\nseed: 1": `:3: faults: crash:0@t0: the test spares rank 0; if the test is right, delete the file, else have it in Schedules`,
	} {
		folder := keeping(t)
		keepFile(t, folder, "mine", text)
		f := run(t, ringTest(2, 1))
		require.Contains(t, f.fatal, filepath.FromSlash(ofFake+"/mine")+want)
		require.Empty(t, f.logs, "nothing is run")
	}
}

// All that is wrong is said at once. Pages, folders of subtests and what other programs leave there are not read.
func TestAllFilesThatAreWrongAreNamed(t *testing.T) {
	folder := keeping(t)
	for _, name := range []string{".DS_Store", "c883f303.html", "sub/none"} {
		keepFile(t, folder, name, "no schedule")
	}
	require.False(t, run(t, ringTest(2, 1)).failed())
	keepFile(t, folder, "a", "one")
	keepFile(t, folder, "b", "mangrove test v1\nfaults: hang:9")
	require.Regexp(t, `^\S+/a:1: "one", want .*\n\S+/b:2: faults: hang:9@t0: rank 9, want 0 to 4; `, run(t, ringTest(2, 1)).fatal)
}

// A file that cannot be read is named as one that is wrong.
func TestAFileThatCannotBeReadIsNamed(t *testing.T) {
	folder := keeping(t)
	keepFile(t, folder, "a", "one")
	require.NoError(t, os.Symlink("nowhere", filepath.Join(folder, ofFake, "b")))
	require.NoError(t, os.Symlink(folder, filepath.Join(folder, ofFake, "c")))
	f := run(t, ringTest(2, 1))
	require.Regexp(t, `^\S+/a:1: "one", want .*\ntestdata/mangrove/TestFake/some_case/b: no such file or directory\ntestdata/mangrove/TestFake/some_case/c: is a directory$`, f.fatal)
}

func TestATestExcludesWhatItNeverDoes(t *testing.T) {
	usual := emutest.Test{Machine: machine(4), Faults: 2}
	exact, healthy := usual, usual
	exact.Exact = true
	healthy.NoFailures, healthy.Faults = true, 0
	given, one, rejoins, cuts, losing := usual, usual, usual, usual, usual
	exhaustive, returning, cutting := usual, usual, usual
	exhaustive.Faults, exhaustive.RandomFaults = 3, 1
	returning.Rejoins, returning.Kinds = []clock.Time{9}, []faults.Kind{faults.Crash}
	cutting.Cuts, cutting.Kinds = []clock.Time{9}, []faults.Kind{faults.Crash}
	given.Given = faults.MustParse("rejoin:0@t90,crash:1")
	one.Faults = 1
	rejoins.Rejoins = []clock.Time{9}
	cuts.Cuts = []clock.Time{9}
	losing.Kinds = []faults.Kind{faults.Hang, faults.Lose}
	for _, c := range []struct {
		test           emutest.Test
		schedule, want string
	}{
		{usual, "crash:1,hang:2", ""},
		{usual, "crash:1,late:0@send1+4,slow:3x4", ""},
		{usual, "crash:1,hang:2,crash:3", "3 failures, and the test has up to 2"},
		{one, "crash:1,hang:2", "2 failures, and the test has up to 1"},
		{usual, "crash:1,rejoin:1@t9", "rejoin:1@t9: the test excludes ranks that come back"},
		{exhaustive, "crash:1,hang:2,crash:3", ""},
		{rejoins, "crash:1,rejoin:1@t9", ""},
		{returning, "crash:1,rejoin:1@t9", ""},
		{cutting, "crash:1,cut:1|*", ""},
		{usual, "cut:1|*", "cut:1|*@t0: the test excludes cut links"},
		{cuts, "cut:1|*", ""},
		{cuts, "cut:1|*,mend:1|*@t8", "mend:1|*@t8: the test excludes links that are mended"},
		{exact, "late:0@send1+4", "late:0@send1+4: the test excludes late messages"},
		{exact, "slow:0x4", "slow:0x4@t0: the test excludes slow ranks"},
		{healthy, "hang:2", "hang:2@t0: the test excludes crashes and hangs"},
		{healthy, "late:0@send1+4,slow:0x4", ""},
		{usual, "lose:0@send1", "lose:0@send1: the test excludes lost messages"},
		{usual, "twice:0@send1+3", "twice:0@send1+3: the test excludes messages that arrive twice"},
		{losing, "lose:0@send1,crash:1", ""},
		{losing, "late:0@send1+4", ""},
		{given, "crash:2,crash:3,rejoin:0@t90,crash:1@t0", ""},
		{given, "rejoin:0@t91", "rejoin:0@t91: the test excludes ranks that come back"},
	} {
		err := emutest.Excludes(c.test, faults.MustParse(c.schedule))
		if c.want == "" {
			require.NoError(t, err, c.schedule)
		} else {
			require.EqualError(t, err, c.want)
		}
	}
}

// viewOnly sets the flag for the length of a test.
func viewOnly(t *testing.T, path string) {
	t.Helper()
	require.NoError(t, flag.Set("mangrove.view", path))
	t.Cleanup(func() { require.NoError(t, flag.Set("mangrove.view", "")) })
}

func TestAFlagWritesThePageOfARun(t *testing.T) {
	folder := keeping(t)
	viewOnly(t, "run.html")
	f := run(t, ringTest(1, 1))
	require.False(t, f.failed(), f.all())
	require.Equal(t, "page: "+filepath.Join(folder, "run.html"), f.logs[1])
	files := filesOf(t, folder)
	require.Len(t, files, 1)
	require.Contains(t, files["run.html"], "<title>mangrove: TestFake/some_case faults=none seed=0</title>")
	require.Contains(t, files["run.html"], `{"name":"roots","text":"rank 0"}`)

	elsewhere := filepath.Join(folder, "b.html")
	viewOnly(t, elsewhere)
	replayOnly(t, "crash:3@send1")
	require.NoError(t, flag.Set("mangrove.seed", "7"))
	t.Cleanup(func() { require.NoError(t, flag.Set("mangrove.seed", "")) })
	f = run(t, ringTest(1, 1))
	require.Len(t, f.errors, 1)
	require.Contains(t, filesOf(t, folder)["b.html"], "<title>mangrove: TestFake/some_case faults=crash:3@send1 seed=7</title>")
}

func TestASeedAloneRunsWithoutFaults(t *testing.T) {
	require.NoError(t, flag.Set("mangrove.seed", "7"))
	t.Cleanup(func() { require.NoError(t, flag.Set("mangrove.seed", "")) })
	require.Contains(t, run(t, ringTest(1, 1)).all(), "faults none\n")
	require.NoError(t, flag.Set("mangrove.seed", "x"))
	require.Equal(t, "-mangrove.seed=x: want a number from 0 to 18446744073709551615", run(t, ringTest(1, 1)).fatal)
}

// renamed is the fake test under another name.
type renamed struct {
	*fakeTB
	name string
}

func (r *renamed) Name() string { return r.name }

// A page has room for one run.
func TestTheSecondTestThatWantsAPageIsRefused(t *testing.T) {
	keeping(t)
	viewOnly(t, "two.html")
	first := &fakeTB{TB: t, ctx: t.Context()}
	first.run(ringTest(1, 1))
	require.False(t, first.failed(), first.all())
	first.run(ringTest(1, 1))
	require.Equal(t, "-mangrove.view=two.html: TestFake/some_case has several Runs, want one of them: -mangrove.run=2", first.fatal)
	require.False(t, run(t, ringTest(1, 1)).failed(), "repeated, as -count does")

	second := &fakeTB{TB: t, ctx: t.Context()}
	done := make(chan struct{})
	go func() {
		defer close(done)
		emutest.Run(&renamed{second, "TestOther"}, ringTest(1, 1))
	}()
	<-done
	require.Equal(t, "-mangrove.view=two.html: the page of TestFake/some_case is there already, want one test: -run '^TestOther$'", second.fatal)
}

func TestAPageThatCannotBeWrittenIsRefusedBeforeTheRun(t *testing.T) {
	folder := keeping(t)
	viewOnly(t, "missing/run.html")
	f := run(t, ringTest(1, 1))
	require.Regexp(t, `^-mangrove\.view=missing/run\.html: .*: no such file or directory$`, f.fatal)
	require.Empty(t, f.logs)
	viewOnly(t, folder)
	require.Equal(t, "-mangrove.view="+folder+": it is a directory", run(t, ringTest(1, 1)).fatal)
}

func TestAPageOfARunWithoutAnEndIsRefused(t *testing.T) {
	folder := keeping(t)
	viewOnly(t, "run.html")
	f := run(t, emutest.Test{
		Machine:    machine(2),
		Program:    protocols.Program{Main: func(protocols.Proc) { panic("ouch") }},
		Guarantees: []guarantee.Guarantee{guarantee.NoDeadlock{}},
	})
	require.Equal(t, "-mangrove.view=run.html: the run has no end", f.fatal)
	require.Contains(t, f.errors[0], "ouch")
	require.Empty(t, filesOf(t, folder))
}

// A program of tests may be run in a folder that somebody removes meanwhile.
func TestNothingIsKeptInAFolderThatIsGone(t *testing.T) {
	require.NoError(t, os.Remove(keeping(t)))
	require.Contains(t, run(t, ringTest(1, 1)).errors[0], ": no such file or directory\nin every run of the test from now on:")
}
