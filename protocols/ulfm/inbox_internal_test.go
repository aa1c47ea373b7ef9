package ulfm

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// An inbox is a list, however often places in it are used again.
func TestAnInboxIsAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var box inbox
		var list []envelope
		for n := range rapid.IntRange(1, 60).Draw(t, "steps") {
			if len(list) == 0 || rapid.Bool().Draw(t, "put") {
				e := envelope{from: n}
				box.put(e)
				list = append(list, e)
			} else {
				i := rapid.IntRange(0, min(2, len(list)-1)).Draw(t, "which")
				require.Equal(t, list[i], box.take(i))
				list = append(list[:i:i], list[i+1:]...)
			}
			require.Len(t, box.waiting(), len(list))
			for i, e := range box.waiting() {
				require.Equal(t, list[i], e)
			}
		}
	})
}

// A million messages of which a few wait at a time need the room of a few.
func TestAnInboxUsesItsPlacesAgain(t *testing.T) {
	var box inbox
	for n := range 1_000 {
		box.put(envelope{from: n})
		if n >= 20 {
			require.Equal(t, n-20, box.take(0).from)
		}
	}
	require.Len(t, box.waiting(), 20)
	require.LessOrEqual(t, cap(box.all), 100)
}
