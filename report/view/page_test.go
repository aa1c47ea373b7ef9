package view_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/internal/viewtest"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/report/view"
)

func TestAPageNeedsNothingBesidesIt(t *testing.T) {
	page := pageOf(t, viewtest.OfLine(t, "broadcast P=16 faults=crash:3@send2"))
	assert.NotRegexp(t, `https?:`, page)
	assert.NotRegexp(t, `//[a-z]+\.[a-z]`, page)
	for _, forbidden := range []string{" src=", "@import", "url(", "fetch(", "XMLHttpRequest", "import(", "WebSocket", "eval(", "sendBeacon"} {
		assert.NotContains(t, page, forbidden)
	}
	assert.Equal(t, []string{`href="data:,"`}, regexp.MustCompile(`href="[^"]*"`).FindAllString(page, -1))
	assert.Contains(t, page, `content="default-src 'none';`)
	assert.NotContains(t, page, "<no value>")
}

func TestAPageHasAllOfItsProgramAndStyle(t *testing.T) {
	page := pageOf(t, viewtest.OfToken(t, 3, "none"))
	assets, err := os.ReadDir("assets")
	require.NoError(t, err)
	require.Greater(t, len(assets), 10)
	for _, a := range assets {
		if filepath.Ext(a.Name()) == ".html" {
			continue
		}
		text, err := os.ReadFile(filepath.Join("assets", a.Name()))
		require.NoError(t, err)
		assert.Equal(t, 1, strings.Count(page, view.Squeezed(string(text))), a.Name())
		for line := range strings.Lines(string(text)) { // no text goes over several lines, of which one might look like a comment
			assert.Zero(t, strings.Count(line, "`")%2, "%s: %s", a.Name(), line)
		}
	}
	assert.Regexp(t, `(?s)<script>\s*\(\(\) => \{\n"use strict";\n.*\n\}\)\(\);\n\s*</script>`, page, "one function, which is called")
}

func TestProgramsAreSqueezed(t *testing.T) {
	const source = "// All of it.\nfunction f(x) {\n  // x is a number\n\n  return x; // as it is\n}\n"
	assert.Equal(t, "function f(x) {\nreturn x; // as it is\n}\n", view.Squeezed(source))
	assert.Equal(t, "last line", view.Squeezed("  last line"))
}

func TestTheSameRunGivesTheSameBytes(t *testing.T) {
	const line = "membership P=8 until=3000 faults=cut:0-2|3-7@t10,crash:5@t20,rejoin:5@t900"
	assert.Equal(t, pageOf(t, viewtest.OfLine(t, line)), pageOf(t, viewtest.OfLine(t, line)))
}

// Nothing in a run can end the script that it is in, or become part of the page.
func TestHostileTextStaysText(t *testing.T) {
	const hostile = `</script><script>alert(1)</script><!--<script> & " ' ` + "\u2028\\"
	run := viewtest.OfToken(t, 3, "none")
	plain := pageOf(t, run)
	step := report.Event{Kind: report.EventStep, Peer: report.NoPeer, Step: hostile}
	write := report.Event{Kind: report.EventWrite, Peer: report.NoPeer, Step: hostile}
	run.Report.Events = append([]report.Event{step, write}, run.Report.Events...)
	run.Line = hostile
	run.KindName = func(mailbox.Kind) string { return hostile }
	run.Rows = []view.Row{{Name: hostile, Text: hostile}}
	run.Guarantees = []guarantee.Verdict{{Name: hostile, Evidence: hostile, Beyond: hostile, Marks: []guarantee.Mark{{Text: hostile}}}}
	page := pageOf(t, run)
	for _, part := range []string{"<script", "</script", "<!--", "alert(1)</"} {
		assert.Equal(t, strings.Count(plain, part), strings.Count(page, part), part)
	}
	assert.Contains(t, page, "<title>mangrove: &lt;/script&gt;")
	assert.NotContains(t, page, "\u2028</")
	data := embedded(t, page)
	assert.Equal(t, hostile, data["line"])
	assert.Equal(t, []any{hostile}, data["storage"].(map[string]any)["names"])
	assert.Contains(t, data["steps"].(map[string]any)["names"], hostile)
	assert.Equal(t, []any{hostile}, data["guarantees"].([]any)[0].(map[string]any)["marks"].(map[string]any)["texts"])
}

func pageOf(t require.TestingT, run view.Run) string {
	var b strings.Builder
	require.NoError(t, view.Write(&b, run))
	return b.String()
}

// embedded is the data that a browser finds in the page.
func embedded(t *testing.T, page string) (data map[string]any) {
	t.Helper()
	_, rest, found := strings.Cut(page, `<script type="application/json" id="data">`)
	require.True(t, found)
	text, _, found := strings.Cut(rest, "</script>")
	require.True(t, found)
	require.NoError(t, json.Unmarshal([]byte(text), &data))
	return data
}

func TestThePageHasTheData(t *testing.T) {
	run := viewtest.OfLine(t, "broadcast P=16 tick=100ns seed=18446744073709551615 faults=crash:3@send2")
	run.Tick = 100
	run.Rows = []view.Row{{Name: "colouring", Text: "t=16 (1.6 us)"}}
	want, err := json.Marshal(dataOf(t, run))
	require.NoError(t, err)
	page := pageOf(t, run)
	assert.Contains(t, page, string(want))
	data := embedded(t, page)
	assert.Equal(t, "18446744073709551615", data["seed"])
	assert.EqualValues(t, 100, data["tick_ns"])
	assert.EqualValues(t, run.Report.Hash.String(), data["hash"])
}

func TestListsWithoutItemsAreNoNulls(t *testing.T) {
	run := viewtest.OfLine(t, "broadcast P=1")
	run.Guarantees = nil
	text, err := json.Marshal(dataOf(t, run))
	require.NoError(t, err)
	assert.NotContains(t, string(text), "null")
}

func TestColumns(t *testing.T) {
	for want, column := range map[string]view.Column{
		`[]`:                           {},
		`[7]`:                          {7},
		`7`:                            {7, 7, 7},
		`[7,-1]`:                       {7, -1},
		`[9007199254740992]`:           {1 << 53},
		`[-9007199254740992]`:          {-1 << 53},
		`["9007199254740993",0]`:       {1<<53 + 1, 0},
		`"-9007199254740993"`:          {-1<<53 - 1, -1<<53 - 1},
		`[1,"-9223372036854775808",3]`: {1, -1 << 63, 3},
	} {
		text, err := json.Marshal(column)
		require.NoError(t, err)
		assert.Equal(t, want, string(text))
	}
}

// brokenPipe cannot be written to.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, assert.AnError }

func TestAPageThatCannotBeWritten(t *testing.T) {
	assert.ErrorIs(t, view.Write(brokenPipe{}, viewtest.OfToken(t, 2, "none")), assert.AnError)
}
