package line

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSuggestFindsSimilarNamesOnly(t *testing.T) {
	known := []string{"tree", "P", "seed", "faults"}
	assert.Equal(t, "; did you mean seed?", Suggest("sede", known))
	assert.Equal(t, "; did you mean faults?", Suggest("FAULT", known))
	assert.Equal(t, "; did you mean P?", Suggest("p", known))
	assert.Empty(t, Suggest("x", known))
	assert.Empty(t, Suggest("latency", known))
	assert.Empty(t, Suggest("", known))
	assert.Equal(t, "; did you mean latency?", Suggest("latent", []string{"latency"}))
	assert.Empty(t, Suggest("latitude", []string{"latency"}), "three edits are another word")
	assert.Equal(t, "; did you mean seen?", Suggest("seen", []string{"sees", "seen", "seem"}), "the nearest")
	assert.Equal(t, "; did you mean sees?", Suggest("seex", []string{"sees", "seen"}), "the first of those")
	assert.Empty(t, Suggest("so", []string{"g", "o"}[:1]), "no letter is the same")
}

func TestDistancesOfWords(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "a", 0}, {"a", "b", 1}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"ab", "ba", 2},
		{"abc", "abcdef", 3}, {"abcdef", "abc", 3}, {"abc", "abcdefg", 7}, {"abcdefg", "abc", 7}, {"tree", "three", 1}, {"three", "tree", 1},
	} {
		assert.Equal(t, c.want, distance(c.a, c.b), "%s and %s", c.a, c.b)
	}
}
