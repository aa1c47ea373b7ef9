package command

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestVersion(t *testing.T) {
	got := mangrove("--version")
	assert.Equal(t, 0, got.status)
	assert.Regexp(t, `^mangrove .*go1\.`, got.stdout)
	released := &debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"}}
	assert.Equal(t, "v1.2.3 go1.26", versionOf(released))
	built := &debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"},
	}}
	assert.Equal(t, "development go1.26 abc with changes", versionOf(built))
}
