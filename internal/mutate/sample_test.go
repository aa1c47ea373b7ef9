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

func anything(mutant) bool { return true }

func TestTheSeedDrawsTheSample(t *testing.T) {
	u, all := mistakesOf(t, someCode)
	few := u.sample(all, anything, 5, 1)
	require.Len(t, few, 5)
	require.Equal(t, few, u.sample(all, anything, 5, 1))
	require.NotEqual(t, few, u.sample(all, anything, 5, 2))
	require.Equal(t, few, u.sample(all, anything, 8, 1)[:5], "a larger sample goes on where a smaller one ends")
	but := func(m mutant) bool { return m.after() != few[0].after() }
	require.Equal(t, few[1:], u.sample(all, but, 4, 1), "one that is not wanted leaves the others as they are")
}

func TestWhatTheCompilerRefusesIsNotPlanted(t *testing.T) {
	u, all := mistakesOf(t, "func f() string {\n\treturn \"a\" + \"b\"\n}\n")
	require.Equal(t, []string{"", "return \"a\" - \"b\""}, afters(all))
	require.Empty(t, u.sample(all, anything, 10, 1))
}

func TestMistakesThatAreKnownAndGoneAreListed(t *testing.T) {
	u, all := mistakesOf(t, someCode)
	is := known{File: "tiny/tiny.go", Line: "a = b * 3", Become: "a = b / 3", Why: "as an example"}
	was := known{File: "tiny/tiny.go", Line: "a = b * 4", Become: "a = b / 4", Why: "its line has changed"}
	elsewhere := known{File: "other/other.go", Line: "a = b * 4", Become: "a = b / 4", Why: "another package"}
	require.Equal(t, []known{was}, gone(all, []known{is, was, elsewhere}, u.files))
}
