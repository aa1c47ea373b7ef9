package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTicksAreNumbers(t *testing.T) {
	for flag, want := range map[string]string{"--rejoin": "ticks from 1 to 1099511627776", "--cut": "ticks from 0 to 1099511627776"} {
		for _, value := range []string{"", "-1", "a", "1,", "1.5", "1099511627777"} {
			got := mangrove("explore", "broadcast", "P=4", flag, value)
			assert.Equal(t, 2, got.status, value)
			assert.Contains(t, got.stderr, want+", with commas between them", value)
		}
	}
	assert.Contains(t, mangrove("explore", "broadcast", "P=4", "--rejoin", "0").stderr, "--rejoin 0: want ticks from 1")
}
