package kv

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRequestsDoWhatTheySay(t *testing.T) {
	for _, c := range []struct {
		value   string
		request Request
		next    string
		answer  Answer
		words   string
	}{
		{"", Request{Op: Get, Key: "a"}, "", Answer{}, "get a: nothing"},
		{"x", Request{Op: Get, Key: "a"}, "x", Answer{Value: "x"}, "get a: x"},
		{"x", Request{Op: Put, Key: "a", Value: "y"}, "y", Answer{}, "put a=y: done"},
		{"x", Request{Op: Delete, Key: "a"}, "", Answer{Done: true}, "delete a: done"},
		{"", Request{Op: Delete, Key: "a"}, "", Answer{}, "delete a: refused"},
		{"x", Request{Op: Swap, Key: "a", Old: "x", Value: "y"}, "y", Answer{Done: true}, "swap a=y if x: done"},
		{"x", Request{Op: Swap, Key: "a", Value: "y"}, "x", Answer{}, "swap a=y if nothing: refused"},
	} {
		t.Run(c.words, func(t *testing.T) {
			next, answer := c.request.on(c.value)
			require.Equal(t, c.next, next)
			require.Equal(t, c.answer, answer)
			require.Equal(t, c.words, describe(c.request, &answer))
		})
	}
}

// A command that comes again is answered again and not applied again, also by who knows it from a snapshot.
func TestCommandsAreAppliedOnce(t *testing.T) {
	var answers []Answer
	applied := func(_ *command, a Answer) { answers = append(answers, a) }
	s := newStore(bugs{}, applied)
	swap := encode(command{"3.0", 1, Request{Op: Swap, Key: "a", Value: "x"}})
	s.Apply(1, swap)
	s.Apply(2, swap)
	s.Apply(3, encode(command{"4.0", 1, Request{Op: Put, Key: "a", Value: "y"}}))
	restored := newStore(bugs{}, applied)
	restored.Restore(s.Snapshot())
	restored.Apply(4, swap)
	require.Equal(t, []Answer{{Done: true}, {Done: true}, {}, {Done: true}}, answers)
	require.Equal(t, map[string]string{"a": "y"}, restored.Values)

	restored.Apply(5, encode(command{"3.0", 3, Request{Op: Delete, Key: "a"}}))
	restored.Apply(6, encode(command{"3.0", 2, Request{Op: Put, Key: "a", Value: "z"}})) // its client has given it up
	require.Empty(t, restored.Values)
	require.Len(t, answers, 5)
}
