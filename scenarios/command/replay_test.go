package command

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheReplayLineOfABrokenRunGivesTheSameOutput(t *testing.T) {
	first := mangrove("run", "broadcast", "P=16", "seed=3", "correction=none", "faults=crash:1@send1,crash:~2")
	require.Equal(t, 1, first.status)
	line := regexp.MustCompile(`replay: mangrove run (.*)\n`).FindStringSubmatch(first.stdout)
	require.Len(t, line, 2)
	again := mangrove("replay", strings.ReplaceAll(line[1], "'", ""))
	assert.Equal(t, measured.ReplaceAllString(first.stdout, ""), measured.ReplaceAllString(again.stdout, ""))
}
