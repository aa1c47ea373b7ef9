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
}
