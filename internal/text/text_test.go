package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mangrove-emu/mangrove/internal/text"
)

func TestThingsAreCountedInTheRightForm(t *testing.T) {
	for n, want := range map[int]string{0: "0 runs", 1: "1 run", 2: "2 runs", -1: "-1 runs"} {
		assert.Equal(t, want, text.Count(n, "run"))
		assert.Equal(t, want, text.Count(int64(n), "run"))
	}
	assert.Equal(t, "ticks", text.Plural(1.5, "tick"))
}

func TestThousandsAreSetApart(t *testing.T) {
	for number, want := range map[string]string{"": "", "0": "0", "999": "999", "1000": "1,000", "65536": "65,536", "1234567.8901": "1,234,567.8901", "123.4567": "123.4567"} {
		assert.Equal(t, want, text.Thousands(number))
	}
}

func TestListsReadLikeSentences(t *testing.T) {
	assert.Empty(t, text.List(nil))
	assert.Equal(t, "5", text.List([]string{"5"}))
	assert.Equal(t, "5 and 9", text.List([]string{"5", "9"}))
	assert.Equal(t, "5, 9 and 3 more", text.List([]string{"5", "9", "3 more"}))
}

// Characters count, not bytes, and nothing is blank at the end of a line.
func TestColumnsAreAligned(t *testing.T) {
	rows := [][]string{
		{"tree", "mean", "", "note"},
		{"binomial", "12.5", "± 0.1", "a"},
		{"lame", "7.0", "", ""},
	}
	assert.Equal(t, ""+
		"tree      mean         note\n"+
		"binomial  12.5  ± 0.1  a\n"+
		"lame       7.0\n", text.Columns(rows, func(i int) bool { return i == 0 || i == 3 }))
}

func TestNamesReadAsOneWord(t *testing.T) {
	for name, want := range map[string]string{
		"":                       `""`,
		"vote":                   "vote",
		"raft/000001":            "raft/000001",
		"größe":                  "größe",
		"a b":                    `"a b"`,
		"a\n\x1b[2J":             `"a\n\x1b[2J"`,
		"\xff":                   `"\xff"`,
		`say "hi"`:               `"say \"hi\""`,
		strings.Repeat("x", 61):  strings.Repeat("x", 60) + "...",
		strings.Repeat("ä", 3e3): strings.Repeat("ä", 30) + "...",
		strings.Repeat(" ", 61):  `"` + strings.Repeat(" ", 60) + `"...`,
	} {
		assert.Equal(t, want, text.Name(name))
	}
}
