package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/pkg/profile"
)

// profiler is a way to profile and the name of the file it writes, in the current
// directory. A nil profiler does nothing.
type profiler struct {
	file string
	mode []func(*profile.Profile)
}

var profilers = map[string]*profiler{
	"cpu":   {"cpu.pprof", []func(*profile.Profile){profile.CPUProfile}},
	"mem":   {"mem.pprof", []func(*profile.Profile){profile.MemProfile, profile.MemProfileAllocs}},
	"trace": {"trace.out", []func(*profile.Profile){profile.TraceProfile}},
}

// newProfiler makes sure, before a run, that its profile can be written: the profile
// package would end the process.
func newProfiler(kind string) (*profiler, error) {
	if kind == "" {
		return nil, nil
	}
	p, ok := profilers[kind]
	if !ok {
		return nil, fmt.Errorf("--profile %q, want one of %s", kind, strings.Join(slices.Sorted(maps.Keys(profilers)), ", "))
	}
	f, err := os.OpenFile(p.file, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("cannot write the profile: %w", err)
	}
	return p, f.Close()
}

// start begins to profile. The function it returns ends that and says where the profile is.
func (p *profiler) start(stderr io.Writer) (stop func()) {
	if p == nil {
		return func() {}
	}
	options := []func(*profile.Profile){profile.ProfilePath("."), profile.NoShutdownHook, profile.Quiet}
	session := profile.Start(append(options, p.mode...)...)
	return func() {
		session.Stop()
		fmt.Fprintf(stderr, "mangrove: profile in %s\n", p.file)
	}
}
