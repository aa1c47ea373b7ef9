package search

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

func TestAStateSaysWhatItIsAbout(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	none, err := ReadState(path)
	require.NoError(t, err)
	require.Nil(t, none)
	state := NewState("broadcast P=8", &Subject{Twice: true}, ExploreOptions{
		Faults: 2, Kinds: []faults.Kind{faults.Hang, faults.Crash}, Every: true, Before: 90, Rejoins: []clock.Time{20}, Cuts: []clock.Time{0, 30},
	})
	state.Found = &Exploration{Runs: 3, Done: []bool{true, false}}
	require.NoError(t, state.Write(path))
	read, err := ReadState(path)
	require.NoError(t, err)
	require.Equal(t, state, read)
}

// Files are long-lived: those of earlier versions must be read.
func TestTheFileOfAStateStaysAsItIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	text := `{"line":"membership P=2","faults":1,"Every":true,"kinds":["crash","hang"],"outside":{"before":100,"rejoin":[20],"cut":[5]},` +
		`"found":{"covered":7,"runs":7,"distinct":0,"violations":null,"hashes":null,"done":[true]}}`
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	state, err := ReadState(path)
	require.NoError(t, err)
	assert.Equal(t, Instants{100, []clock.Time{20}, []clock.Time{5}, 0}, state.Instants)
	assert.True(t, state.Every)
	assert.True(t, state.Found.Complete())
	require.NoError(t, state.Write(path))
	again, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, text, string(again))
}

func TestWhatIsNoStateIsRefused(t *testing.T) {
	dir := t.TempDir()
	file := func(text string) string {
		path := filepath.Join(dir, "file")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	for want, path := range map[string]string{
		dir + ": want an ordinary file":        dir,
		os.DevNull + ": want an ordinary file": os.DevNull,
	} {
		_, err := ReadState(path)
		assert.EqualError(t, err, want)
	}
	for _, text := range []string{"", "{}", `{"line":"broadcast"}`, "not JSON"} {
		_, err := ReadState(file(text))
		assert.ErrorContains(t, err, "file is not the state of an exploration", text)
	}
	require.NoError(t, os.Truncate(file(""), maxState+1))
	_, err := ReadState(filepath.Join(dir, "file"))
	assert.ErrorContains(t, err, "file has 1073741825 bytes, want up to 1073741824: it is not")
	_, err = ReadState(filepath.Join(dir, "file", "below"))
	assert.ErrorContains(t, err, "stat ", "it is not even tried to read it")
}
