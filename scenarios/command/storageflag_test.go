package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFoldersForStorageThatCannotBe(t *testing.T) {
	for args, want := range map[string]string{
		"launch -n 4 broadcast --runs 2 --storage x": "--storage x: of 2 runs, want one run for a folder",
		"launch -n 4 broadcast --storage x":          "storage in x: ranks of broadcast keep nothing, want no folder",
		"launch -n 4 broadcast --storage=":           "--storage '': want the name of a folder",
	} {
		got := mangrove(strings.Fields(args)...)
		assert.Equal(t, 2, got.status, args)
		assert.Contains(t, got.stderr, want, args)
	}
}
