package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tried are a package, its tests, and those of another package that uses it. Each notices one mistake; nobody notices a third.
var tried = map[string]string{
	"tiny/tiny.go":      "package tiny\n\nfunc Own() bool { return true }\n\nfunc Other() bool { return true }\n\nfunc Nobody() bool { return true }\n",
	"tiny/tiny_test.go": "package tiny\n\nimport \"testing\"\n\nfunc TestOwn(t *testing.T) {\n\tif !Own() {\n\t\tt.Fatal()\n\t}\n}\n",
	"user/user_test.go": "package user\n\nimport (\n\t\"testing\"\n\n\t\"example.com/tiny/tiny\"\n)\n\nfunc TestOther(t *testing.T) {\n\tif !tiny.Other() {\n\t\tt.Fatal()\n\t}\n}\n",
	"user/doc.go":       "package user\n",
	"known.toml":        "",
	"some.toml":         "[[mistake]]\nfile = \"tiny/tiny.go\"\nline = \"func Nobody() bool { return true }\"\nbecome = \"func Nobody() bool { return false }\"\nwhy = \"as an example\"\n",
	"stale.toml":        "[[mistake]]\nfile = \"tiny/tiny.go\"\nline = \"gone\"\nwhy = \"as an example\"\n",
}

func TestKnownMistakesAreNotPlanted(t *testing.T) {
	o := options{packages: []string{"./tiny"}, perPackage: 100, root: module(t, tried), knownFile: "some.toml"}
	plans, err := plan(o)
	require.NoError(t, err)
	require.Len(t, plans[0].chosen, 2)
	require.NotContains(t, afters(plans[0].chosen), "func Nobody() bool { return false }")
	o.knownFile = "stale.toml"
	_, err = plan(o)
	require.ErrorContains(t, err, "mistakes that are no longer there")
	o.knownFile, o.except = "known.toml", []string{"tiny"}
	plans, err = plan(o)
	require.NoError(t, err)
	require.Empty(t, plans)
}

func TestMistakesThatNoTestNoticesSurvive(t *testing.T) {
	root := module(t, tried)
	before, err := os.ReadDir(filepath.Join(root, "tiny"))
	require.NoError(t, err)
	o := options{
		packages: []string{"./tiny"}, also: []string{"./user"}, perPackage: 100, within: "tiny.go",
		root: root, knownFile: "known.toml", timeout: time.Minute,
	}
	plans, err := plan(o)
	require.NoError(t, err)
	require.Len(t, plans, 1)
	require.Equal(t, []string{"tiny", "user"}, plans[0].dirs)
	slices.SortFunc(plans[0].chosen, func(a, b mutant) int { return a.start - b.start })

	b, err := newBench(root)
	require.NoError(t, err)
	defer func() { require.NoError(t, b.remove()) }()
	suites := suitesOf(b, plans)
	var ends []ending
	for _, m := range plans[0].chosen {
		end, err := plans[0].try(suites, m, o.timeout)
		require.NoError(t, err)
		ends = append(ends, end)
	}
	require.Equal(t, []ending{failed, failed, passed}, ends)
	after, err := os.ReadDir(filepath.Join(root, "tiny"))
	require.NoError(t, err)
	require.Equal(t, len(before), len(after), "nothing is left in the tree")
}

func TestATestThatDoesNotEndHasNoticed(t *testing.T) {
	root := module(t, map[string]string{
		"tiny/tiny_test.go": "package tiny\n\nimport \"testing\"\n\nfunc TestForEver(t *testing.T) {\n\tfor {\n\t}\n}\n",
	})
	b, err := newBench(root)
	require.NoError(t, err)
	defer func() { require.NoError(t, b.remove()) }()
	program, err := b.compile("tiny", nil)
	require.NoError(t, err)
	require.Equal(t, hung, b.run(program, "tiny", 100*time.Millisecond, false))
}

func TestLowScoresFail(t *testing.T) {
	scores := []score{{name: "a", planted: 10, seen: 10}, {name: "b", planted: 10, seen: 8}}
	require.NoError(t, judge(io.Discard, scores, 90, 80))
	require.ErrorContains(t, judge(io.Discard, scores, 91, 80), "90 % of all mistakes were noticed, want 91 %")
	require.ErrorContains(t, judge(io.Discard, scores, 90, 81), "80 % of those in b, want 81 %")
}

func TestTheListOfKnownMistakesGivesReasons(t *testing.T) {
	list, err := readKnown("known.toml")
	require.NoError(t, err)
	for i, k := range list {
		require.NotContains(t, list[i+1:], k)
	}
	bad := filepath.Join(t.TempDir(), "known.toml")
	require.NoError(t, os.WriteFile(bad, []byte("[[mistake]]\nfile = \"a.go\"\nline = \"a\"\n"), 0o600))
	_, err = readKnown(bad)
	require.ErrorContains(t, err, "needs file, line and why")
}
