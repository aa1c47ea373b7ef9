package launch_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mangrove-emu/mangrove/scenarios/launch"
)

func TestHostsHaveNamesAndAddresses(t *testing.T) {
	for text, want := range map[string]launch.Host{
		"a":                    {Name: "a", Address: "a"},
		"user@a":               {Name: "user@a", Address: "a"},
		"a=10.0.0.2":           {Name: "a", Address: "10.0.0.2"},
		"user@a=b.example.org": {Name: "user@a", Address: "b.example.org"},
	} {
		host, ok := launch.ParseHost(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, host)
	}
	for _, bad := range []string{"", "-oProxyCommand=x", "a b", "a=", "=a", "a=b=c", "user@"} {
		_, ok := launch.ParseHost(bad)
		assert.False(t, ok, bad)
	}
}
