package mangrove

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Tests that documents name exist.
func TestDocumentsNameTestsThatExist(t *testing.T) {
	defined := make(map[string]bool)
	for _, file := range goFiles(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, match := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(text, -1) {
			defined[string(match[1])] = true
		}
	}
	documents, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	named := 0
	for _, document := range append(documents, "README.md") {
		text, err := os.ReadFile(document)
		require.NoError(t, err)
		for _, match := range regexp.MustCompile("`(Test[A-Z]\\w+)`").FindAllSubmatch(text, -1) {
			require.True(t, defined[string(match[1])], "%s names %s", document, match[1])
			named++
		}
	}
	require.NotZero(t, named)
}

// The table in docs/membership.md is what its command prints today.
func TestMembershipTableIsThatOfTheCommand(t *testing.T) {
	golden, err := os.ReadFile("cmd/mangrove/testdata/paper-membership-bgl.golden")
	require.NoError(t, err)
	document, err := os.ReadFile("docs/membership.md")
	require.NoError(t, err)
	require.Contains(t, string(document), string(golden))
}
