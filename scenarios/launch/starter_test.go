package launch

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNothingIsStartedAfterTheEnd(t *testing.T) {
	l := newLocal([]string{"/bin/true"}, io.Discard, func(ending) {})
	l.close()
	require.ErrorIs(t, l.start(processSpec{Process: 3}), errClosed)
	l.kill(3)
}

func TestAnEndingSaysWhoseItIs(t *testing.T) {
	ends := make(chan ending, 1)
	l := newLocal([]string{"/bin/sh", "-c", "exit 7"}, io.Discard, func(e ending) { ends <- e })
	defer l.close()
	require.NoError(t, l.start(processSpec{Process: 3, Life: 1}))
	require.Equal(t, ending{Process: 3, Life: 1, Problem: "exit status 7"}, <-ends)
}

func TestToKillAProcessIsNothingToTalkAbout(t *testing.T) {
	ends := make(chan ending, 1)
	var said bytes.Buffer
	l := newLocal([]string{"/bin/sh", "-c", "read line; read line"}, &said, func(e ending) { ends <- e })
	require.NoError(t, l.start(processSpec{Process: 3}))
	l.kill(3)
	require.Equal(t, ending{Process: 3, Problem: "signal: killed"}, <-ends)
	l.kill(3) // it is gone
	l.close()
	require.Empty(t, said.String())
}

// A process that was stopped, and is started again, would be left behind.
func TestAFormerLifeOfAProcessIsEnded(t *testing.T) {
	ends := make(chan ending, 2)
	l := newLocal([]string{"/bin/sh", "-c", "read line; read line"}, io.Discard, func(e ending) { ends <- e })
	for life := range 2 {
		require.NoError(t, l.start(processSpec{Process: 3, Life: life}))
	}
	require.Equal(t, ending{Process: 3, Problem: "signal: killed"}, <-ends)
	l.close()
	require.Equal(t, ending{Process: 3, Life: 1, Problem: "signal: killed"}, <-ends)
}

func TestAProcessThatEndsBadlySaysWhy(t *testing.T) {
	end := errors.New("exit status 2")
	for said, want := range map[string]string{
		"":                       "exit status 2",
		"\n \n":                  "exit status 2",
		"one line\n":             "exit status 2: one line",
		"first\nsecond":          "exit status 2: second",
		"first\n\nlast\r\n\n\n":  "exit status 2: last",
		strings.Repeat("x", 1e4): "exit status 2: " + strings.Repeat("x", 1024),
	} {
		var heard bytes.Buffer
		s := &stderrTail{to: &heard}
		for _, char := range []byte(said) {
			n, err := s.Write([]byte{char})
			require.NoError(t, err)
			require.Equal(t, 1, n)
		}
		assert.Equal(t, said, heard.String())
		assert.EqualError(t, s.explain(end), want)
		assert.ErrorIs(t, s.explain(end), end)
		assert.NoError(t, s.explain(nil), "it has ended well")
	}
}

func TestAnAgentEndsWithItsInput(t *testing.T) {
	for input, want := range map[string]string{
		"":                              "",
		`{"Kill": 3}`:                   "", // there is none
		"{}":                            "launch: an order that says neither what to start nor what to kill",
		"hello":                         "invalid character 'h' looking for beginning of value",
		`{"Start": {"Process": 1}}`:     "launch: process 1 cannot be started: fork/exec /no/such/command: no such file or directory",
		`{"Kill": 1}` + "\n" + `{"Kill`: "unexpected EOF",
	} {
		err := Serve(t.Context(), []string{"/no/such/command"}, strings.NewReader(input), io.Discard, io.Discard)
		if want == "" {
			assert.NoError(t, err, input)
		} else {
			assert.EqualError(t, err, want, input)
		}
	}
}

func TestFilesAreWrittenToWithoutALock(t *testing.T) {
	assert.Same(t, os.Stderr, serialized(os.Stderr), "processes get it as it is")
	var b bytes.Buffer
	w := serialized(&b)
	n, err := w.Write([]byte("line\n"))
	require.NoError(t, err)
	assert.Equal(t, 5, n)
	assert.Equal(t, "line\n", b.String())
}
