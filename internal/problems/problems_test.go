package problems

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnErrorListsAllProblemsAfterWhoRefuses(t *testing.T) {
	var wrong List
	require.NoError(t, wrong.Err("clock"), "nothing is wrong yet")
	Range(&wrong, "overhead o", 0, 1, 9, "ticks")
	Range(&wrong, "workers", int64(-1), 0, 4, "")
	Range(&wrong, "gap g", 9, 0, 9, "ticks")
	wrong.Check(false, "root %d, want 0 to %d", 9, 7)
	wrong.Check(true, "never said")
	wrong.Add("no operation")
	require.EqualError(t, wrong.Err("clock"),
		"clock: overhead o = 0 ticks, want 1 to 9; workers = -1, want 0 to 4; root 9, want 0 to 7; no operation")
}

func TestProblemsMayHaveLinesOfTheirOwn(t *testing.T) {
	var wrong List
	require.NoError(t, wrong.ErrLines("campaign"))
	wrong.Add("no name")
	wrong.Add("no line")
	require.EqualError(t, wrong.ErrLines("campaign"), "campaign: no name\nno line")
	require.Equal(t, []string{"no name", "no line"}, Of(wrong.ErrLines("campaign")).Texts())
}

func TestOneProblemIsAListOfOne(t *testing.T) {
	err := New("tree", "root %d, want 0 to %d", 9, 7)
	require.EqualError(t, err, "tree: root 9, want 0 to 7")
	require.Equal(t, []string{"root 9, want 0 to 7"}, Of(err).Texts())
}

func TestProblemsOfSeveralPackagesSayWhoseTheyAre(t *testing.T) {
	var own, all List
	own.Add("workers")
	own.Add("steps")
	all.Note(New("clock", "latency"))
	all.Note(nil)
	all.In("emu", own)
	require.EqualError(t, all.Err(""), "clock: latency; emu: workers; emu: steps")
}

func TestProblemsCanBeSaidWithOtherWords(t *testing.T) {
	var wrong List
	wrong.Add("latency L")
	wrong.Add("overhead o")
	err := wrong.Err("clock")
	require.Equal(t, `"L=0": latency L; overhead o`, fmt.Sprintf("%q: %s", "L=0", Of(err)))
	require.Empty(t, Of(nil))
}

func TestWhatAnErrorIsAboutTakesThePlaceOfWhoSaysIt(t *testing.T) {
	var inner, wrong List
	inner.Add("latency L")
	inner.Add("overhead o")
	wrong.About("network=torus", inner.Err("clock"))
	wrong.About("", inner.Err("clock"))
	wrong.About("L=0", io.EOF)
	wrong.About("o=1", nil)
	require.Equal(t, []string{"network=torus: latency L; overhead o", "latency L; overhead o", "L=0: EOF"}, wrong.Texts())
}

func TestAnErrorAroundProblemsKeepsWhatItAdds(t *testing.T) {
	around := fmt.Errorf("cannot tune: %w", New("tuning", "ranks N = 1"))
	require.Equal(t, "cannot tune: tuning: ranks N = 1", Of(around).String())
	require.Equal(t, "end of file: EOF", Of(fmt.Errorf("end of file: %w", io.EOF)).String())
}

func TestProblemsAreReachedThroughOtherErrors(t *testing.T) {
	inner := New("clock", "latency L: %w", io.ErrUnexpectedEOF)
	var wrong List
	wrong.Add("Machine: %w", inner)
	err := fmt.Errorf("line 3: %w", wrong.Err("emutest"))

	var listed interface{ Unwrap() []error }
	require.ErrorAs(t, err, &listed)
	require.Len(t, listed.Unwrap(), 1)
	require.EqualError(t, listed.Unwrap()[0], "Machine: clock: latency L: unexpected EOF")
	require.True(t, errors.Is(err, inner))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}
