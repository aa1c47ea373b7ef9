package view_test

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/viewtest"
	"github.com/mangrove-emu/mangrove/report/view"
)

// Each of several runs has its own page, as it would be alone, with its name above it. No name can become part of the page.
func TestRunsBesideEachOtherHaveTheirOwnPages(t *testing.T) {
	const hostile = `"></iframe><script>alert(1)</script>`
	one, other := viewtest.OfToken(t, 3, "none"), viewtest.OfToken(t, 4, "crash:2@t5")
	one.Name, one.Line, other.Name = hostile, hostile, "emulated"
	var b strings.Builder
	require.NoError(t, view.WriteBeside(&b, one, other))
	inside := regexp.MustCompile(`srcdoc="([^"]*)"`).FindAllStringSubmatch(b.String(), -1)
	require.Len(t, inside, 2)
	assert.Equal(t, pageOf(t, one), html.UnescapeString(inside[0][1]))
	assert.Equal(t, pageOf(t, other), html.UnescapeString(inside[1][1]))
	assert.Equal(t, 2, strings.Count(b.String(), "</iframe>"))
	assert.NotContains(t, b.String(), "<script>")
	assert.Contains(t, b.String(), "<figcaption>emulated</figcaption>")
	assert.Contains(t, b.String(), `content="default-src 'none';`)
}

func TestRunsBesideEachOtherMustAllBeRight(t *testing.T) {
	good, bad := viewtest.OfToken(t, 3, "none"), viewtest.OfToken(t, 3, "none")
	bad.Ranks = view.Range{First: 2, Last: 7}
	require.Error(t, view.WriteBeside(&strings.Builder{}, good, bad))
}

// Real processes have no hash, and a page does not pretend that they have one.
func TestPagesOfProcessesHaveNoHash(t *testing.T) {
	run := viewtest.OfToken(t, 3, "none")
	assert.NotContains(t, pageOf(t, run), `"hash":""`)
	run.Report.Processes = true
	assert.Contains(t, pageOf(t, run), `"hash":""`)
}
