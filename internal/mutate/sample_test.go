package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const someCode = `func f(a, b int) int {
	if a < b && a > 7 || b == 9 {
		a = b * 3
		return a + 1
	}
	return b - 1
}
`

func TestTheSeedDrawsTheSample(t *testing.T) {
	u, all := mistakesOf(t, someCode)
	require.Equal(t, u.sample(all, 5, 1), u.sample(all, 5, 1))
	require.NotEqual(t, u.sample(all, 5, 1), u.sample(all, 5, 2))
	require.Len(t, u.sample(all, 5, 1), 5)
	require.Subset(t, u.sample(all, 8, 1), u.sample(all, 5, 1), "a larger sample goes on where a smaller one ends")
}

func TestWhatTheCompilerRefusesIsNotPlanted(t *testing.T) {
	u, all := mistakesOf(t, "func f() string {\n\treturn \"a\" + \"b\"\n}\n")
	require.Equal(t, []string{"", "return \"a\" - \"b\""}, afters(all))
	require.Empty(t, u.sample(all, 10, 1))
}

func TestKnownMistakesAreNotPlanted(t *testing.T) {
	u, all := mistakesOf(t, someCode)
	is := known{File: "tiny/tiny.go", Line: "a = b * 3", Become: "a = b / 3", Why: "as an example"}
	was := known{File: "tiny/tiny.go", Line: "a = b * 4", Become: "a = b / 4", Why: "its line has changed"}
	elsewhere := known{File: "other/other.go", Line: "a = b * 4", Become: "a = b / 4", Why: "another package"}
	rest, stale := without(all, []known{is, was, elsewhere}, u.files)
	require.Len(t, rest, len(all)-1)
	require.NotContains(t, afters(rest), "a = b / 3")
	require.Equal(t, []known{was}, stale)
}
