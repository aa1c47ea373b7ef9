package faults

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFaultKeepsTheChangesThatItNames(t *testing.T) {
	for text, want := range map[string][]bool{
		"crash:0@sync1":              {false, false, false, false},
		"crash:0@sync1:kept*":        {true, true, true, true},
		"hang:0@sync1:kept2":         {false, true, false, false},
		"crash:0@t4:kept1+3-9":       {true, false, true, true},
		"crash:0@write1:kept3+1+2":   {true, true, true, false},
		"crash:0@before-sync1:kept4": {false, false, false, true},
	} {
		f := &MustParse(text)[0]
		for i, kept := range want {
			require.Equal(t, kept, f.Keeps(i+1), "%s: change %d", text, i+1)
		}
	}
}

func TestKeptChangesHaveOneText(t *testing.T) {
	require.Equal(t, "crash:0@write1:kept1-3", MustParse("crash:0@write1:kept3+1+2").String())
	require.Equal(t, "crash:0@t0:kept1", MustParse("crash:0:kept1").String())
}

// The name of a step may be the word that stands before changes, which is none of these.
func TestAStepMayBeCalledLikeWhatIsKept(t *testing.T) {
	for text, want := range map[string]Fault{
		"crash:0@step:kept":              {Kind: Crash, At: OnStep("kept", 1)},
		"slow:0x2@step:kept1#2":          {Kind: Slow, Factor: 2, At: OnStep("kept1", 2)},
		"hang:0@step:kept-word:kept1-3":  {Kind: Hang, At: OnStep("kept-word", 1), Kept: "1-3"},
		"crash:0@step:kept#2:kept*":      {Kind: Crash, At: OnStep("kept", 2), Kept: Others},
		"crash:0@step:has-kept/it:kept7": {Kind: Crash, At: OnStep("has-kept/it", 1), Kept: "7"},
	} {
		read, err := Parse(text)
		require.NoError(t, err)
		require.Equal(t, Schedule{want}, read)
		require.Equal(t, text, read.String())
	}
	_, err := Parse("crash:0@step:a:kept")
	require.ErrorContains(t, err, "kept change")
}
