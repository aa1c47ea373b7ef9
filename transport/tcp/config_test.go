package tcp

import (
	"crypto/tls"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

func TestConfigurationsThatMakeNoSenseAreRefused(t *testing.T) {
	for says, spoil := range map[string]func(c *Config){
		"process -1, want 0 to 1":                        func(c *Config) { c.Process = -1 },
		"process 2, want 0 to 1":                         func(c *Config) { c.Process = 2 },
		"life -1, want 0 or more":                        func(c *Config) { c.Life = -1 },
		"0 processes, want 1 to 2, the number of ranks":  func(c *Config) { c.Processes = 0 },
		"3 processes, want 1 to 2, the number of ranks":  func(c *Config) { c.Processes = 3 },
		"signals with 1 processes for 2 ranks":           func(c *Config) { c.Processes, c.Signals = 1, true },
		"tick of 0s, want 1ns or more":                   func(c *Config) { c.Tick = 0 },
		"pace 3, want 0 to 2":                            func(c *Config) { c.Pace = Model + 1 },
		"overhead o = 0 ticks":                           func(c *Config) { c.Overhead = 0 },
		"frames of up to 58 bytes, want 0 for the usual": func(c *Config) { c.MaxFrame = wire.Overhead - 1 },
		"frames of up to 1073741825 bytes, want 0 for":   func(c *Config) { c.MaxFrame = maxMaxFrame + 1 },
		"crash:2":                                          func(c *Config) { c.Faults = faults.MustParse("crash:2") },
		"largest delay = -1 ticks":                         func(c *Config) { c.Jitter = clock.UniformJitter{Most: -1} },
		"want ranks that have been drawn":                  func(c *Config) { c.Faults = faults.MustParse("crash:~1") },
		`address "0.0.0.0:0" can be reached by others`:     func(c *Config) { c.Listen = "0.0.0.0:0" },
		`address ":0" can be reached by others`:            func(c *Config) { c.Listen = ":0" },
		`address "example.org:0" can be reached by others`: func(c *Config) { c.Listen = "example.org:0" },
		`address "127.0.0.1", want host:port`:              func(c *Config) { c.Listen = "127.0.0.1" },
	} {
		c := Config{Job: pairOfProcesses()}
		require.NoError(t, c.validate())
		spoil(&c)
		require.ErrorContains(t, c.validate(), says)
		_, err := Listen(c)
		require.ErrorContains(t, err, says)
	}
}

func TestConfigurationsAtTheLimitsAreGood(t *testing.T) {
	for name, change := range map[string]func(c *Config){
		"last process":       func(c *Config) { c.Process = 1 },
		"one process":        func(c *Config) { c.Processes = 1 },
		"signals":            func(c *Config) { c.Signals = true },
		"shortest tick":      func(c *Config) { c.Tick = 1 },
		"last pace":          func(c *Config) { c.Pace = Model },
		"shortest frames":    func(c *Config) { c.MaxFrame = wire.Overhead },
		"longest frames":     func(c *Config) { c.MaxFrame = maxMaxFrame },
		"all interfaces":     func(c *Config) { c.Listen, c.Anywhere = ":0", true },
		"localhost":          func(c *Config) { c.Listen = "localhost:0" },
		"another loopback":   func(c *Config) { c.Listen = "127.1.2.3:0" },
		"loopback of IPv6":   func(c *Config) { c.Listen = "[::1]:0" },
		"address left empty": func(c *Config) { c.Listen = "" },
	} {
		c := Config{Job: pairOfProcesses()}
		change(&c)
		require.NoError(t, c.validate(), name)
	}
}

func TestCoordinatorsThatMakeNoSenseAreRefused(t *testing.T) {
	for says, spoil := range map[string]func(c *CoordinatorConfig){
		"initiator 2, want 0 to 1":                         func(c *CoordinatorConfig) { c.Initiators = []int{0, 2} },
		"initiator -1, want 0 to 1":                        func(c *CoordinatorConfig) { c.Initiators = []int{-1} },
		"timeout of -1ns for signs of life":                func(c *CoordinatorConfig) { c.Offered, c.Timeout = true, -1 },
		"timeout of 999\u00b5s for signs of life":          func(c *CoordinatorConfig) { c.Offered, c.Timeout = true, 999*time.Microsecond },
		"timeout of 1s for signs of life":                  func(c *CoordinatorConfig) { c.Timeout = time.Second },
		"tick of 0s, want 1ns or more":                     func(c *CoordinatorConfig) { c.Tick = 0 },
		`address "0.0.0.0:0" can be reached by others`:     func(c *CoordinatorConfig) { c.Listen = "0.0.0.0:0" },
		`address "example.org:0" can be reached by others`: func(c *CoordinatorConfig) { c.Listen = "example.org:0" },
	} {
		c := CoordinatorConfig{Job: pairOfProcesses(), Initiators: []int{0, 1}, Detection: Detection{Offered: true, Timeout: minTimeout}}
		good, err := NewCoordinator(c)
		require.NoError(t, err)
		require.NoError(t, good.Close())
		c.Detection = Detection{}
		spoil(&c)
		_, err = NewCoordinator(c)
		require.ErrorContains(t, err, says)
	}
}

// The limit on frames is about those of ranks; a report may be longer.
func TestLimitOnFramesDependsOnTheRole(t *testing.T) {
	for _, c := range []struct{ limit, peer, member int }{
		{0, wire.DefaultLimit, wire.DefaultLimit}, {4096, 4096, wire.DefaultLimit}, {wire.DefaultLimit + 1, wire.DefaultLimit + 1, wire.DefaultLimit + 1},
	} {
		job := Job{MaxFrame: c.limit}
		require.Equal(t, c.peer, job.maxFrame(wire.Peer))
		require.Equal(t, c.member, job.maxFrame(wire.Member))
	}
}

// Processes that do not run the same do not run together, whatever it is that differs.
func TestTermsNameAllThatProcessesMustAgreeOn(t *testing.T) {
	terms := make(map[string]bool)
	for _, change := range []func(j *Job){
		func(*Job) {}, func(j *Job) { j.Name = "x" }, func(j *Job) { j.Ranks++ }, func(j *Job) { j.Processes-- }, func(j *Job) { j.Latency++ },
		func(j *Job) { j.Overhead++ }, func(j *Job) { j.Gap++ }, func(j *Job) { j.PerByte++ }, func(j *Job) { j.Tick++ }, func(j *Job) { j.Pace = Model },
		func(j *Job) { j.Seed++ }, func(j *Job) { j.Faults = faults.MustParse("crash:1") },
	} {
		j := pairOfProcesses()
		change(&j)
		require.False(t, terms[j.terms()], j.terms())
		terms[j.terms()] = true
	}
}

// Others are told the host as it was given, which they may know under that name, and the port that was found.
func TestAddressThatOthersAreTold(t *testing.T) {
	found := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4711}
	for given, want := range map[string]string{
		"": "127.0.0.1:4711", ":0": "127.0.0.1:4711", "0.0.0.0:0": "127.0.0.1:4711", "[::]:0": "127.0.0.1:4711", "no address": "127.0.0.1:4711",
		"localhost:0": "localhost:4711", "10.1.2.3:0": "10.1.2.3:4711", "[::1]:0": "[::1]:4711", "node7:99": "node7:4711",
	} {
		require.Equal(t, want, announced(given, found), given)
	}
}

func TestWhoShowsNoCertificateIsAStranger(t *testing.T) {
	job := pairOfProcesses()
	job.Encrypt = true
	secure, err := job.encryption()
	require.NoError(t, err)
	require.ErrorIs(t, secure.VerifyConnection(tls.ConnectionState{}), errForeignKey)
}
