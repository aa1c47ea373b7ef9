package command

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// Whoever names no line is shown all protocols, in lines that fit on a screen.
func TestPromisesOfAllProtocolsAreShown(t *testing.T) {
	got := mangroveWith(t.Context(), catalog.All(), "promises")
	assert.Equal(t, statusHeld, got.status)
	line80(t, got.stdout)
	for _, p := range catalog.All() {
		assert.Contains(t, "\n"+got.stdout, "\n"+p.Name+"\n\n  ", p.Name)
	}
	assert.Equal(t, 1, strings.Count(got.stdout, promisesLegend))
}

func TestPromisesAsJSONSayAllOfThem(t *testing.T) {
	got := mangrove("promises", "broadcast correction=none", "--json")
	assert.Equal(t, statusHeld, got.status)
	var said promisesOfLine
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &said))
	assert.Equal(t, "broadcast correction=none", said.Line)
	undisturbed := []string{"every message arrives, and nobody comes back"}
	assert.Equal(t, []promiseRow{
		{"reaches every live rank", undisturbed, []string{"nobody fails"}, false, false},
		{"no deadlock", undisturbed, []string{"nobody fails"}, true, false},
		{"integrity", []string{}, []string{}, true, true},
		{"only coloured ranks send", []string{"nobody comes back"}, []string{}, true, true},
		{"no duplicates", []string{"nobody comes back"}, []string{}, true, true},
		{"whoever is reached returns", []string{"nobody comes back"}, []string{}, true, false},
	}, said.Promises)
}

// All protocols make as many lines of JSON, each of the same form.
func TestPromisesOfAllProtocolsAreLinesOfJSON(t *testing.T) {
	got := mangrove("promises", "--json")
	var names []string
	for line := range strings.Lines(got.stdout) {
		var said promisesOfLine
		require.NoError(t, json.Unmarshal([]byte(line), &said))
		require.NotEmpty(t, said.Promises, said.Line)
		names = append(names, said.Line)
	}
	assert.Equal(t, testProtocols().Names(), names)
}

func TestPromisesOfBadLinesAreRefused(t *testing.T) {
	for words, want := range map[string]string{
		"promises nothing":               `unknown protocol "nothing"`,
		"promises broadcast X=1 P=0":     `unknown key "X"`,
		"promises broadcast faults<=2":   "'mangrove explore' runs all schedules",
		"promises broadcast --trace -":   "unknown flag: --trace",
		"promises broadcast multitree":   `"multitree"`,
		"promises multitree trees=9 P=4": "trees",
	} {
		got := mangrove(strings.Fields(words)...)
		assert.Equal(t, statusInput, got.status, words)
		assert.Contains(t, got.stderr, want, words)
		assert.Empty(t, got.stdout, words)
	}
}
