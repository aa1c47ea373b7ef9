package guide

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnExcerptHasTheLinesOfTheWholeInOrder(t *testing.T) {
	const whole = "one\ntwo\n\tthree\none more (0.12s)\nfour\n"
	for _, excerpt := range []string{whole, "...\n", "one\n...\n", "...\nfour\n", "one\n...\n\tthree\n...\n", "one\n    ...\none more (3.40s)\nfour\n", "...\ntwo\n\tthree\n...\nfour\n", "...\n...\n"} {
		require.True(t, Shows(excerpt, whole), excerpt)
	}
	for _, excerpt := range []string{
		"", "one\n", "four\n", "two\n...\n", "...\none\n", "...\ntwo\n", "...\nthree\n...\n", "...\ntw\n...\n", "...\nmore (0.12s)\n...\n", "...\none more\n...\n",
		"...\ntwo\n...\none\n...\n", "one\n...\none\n...\n", "...\nfour\n...\nfour\n", "one\n...\none more (0.12s)\n", "one\nthree\n...\n",
	} {
		require.False(t, Shows(excerpt, whole), excerpt)
	}
}
