package command

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strings"
)

// profiler is a way to profile and the name of the file it writes, in the current directory. The module's
// benchmarks have more ways, by a package that knows HTTP, which everybody who runs a line for the first time
// would have to compile.
type profiler struct {
	file  string
	begin func(io.Writer) (end func() error, err error)
}

var profilers = map[string]profiler{
	"cpu":   {"cpu.pprof", profileProcessor},
	"mem":   {"mem.pprof", profileMemory},
	"trace": {"trace.out", traceGoroutines},
}

func findProfiler(kind string) (profiler, error) {
	p, ok := profilers[kind]
	if !ok {
		return p, fmt.Errorf("--profile %q, want one of %s", kind, strings.Join(slices.Sorted(maps.Keys(profilers)), ", "))
	}
	return p, nil
}

func profileProcessor(w io.Writer) (end func() error, err error) {
	return func() error { pprof.StopCPUProfile(); return nil }, pprof.StartCPUProfile(w)
}

// profileMemory counts everything that is allocated, and looks closer than usual.
func profileMemory(w io.Writer) (end func() error, err error) {
	usual := runtime.MemProfileRate
	runtime.MemProfileRate = 4096 // bytes from one sample to the next
	return func() error {
		runtime.MemProfileRate = usual
		return pprof.Lookup("allocs").WriteTo(w, 0)
	}, nil
}

func traceGoroutines(w io.Writer) (end func() error, err error) {
	return func() error { trace.Stop(); return nil }, trace.Start(w)
}

// startProfile begins to profile, if a kind is asked for. The function it returns ends that and says where the
// profile is.
func (a *app) startProfile(kind string) (stop func() error, err error) {
	if kind == "" {
		return func() error { return nil }, nil
	}
	p, err := findProfiler(kind)
	if err != nil {
		return nil, err
	}
	file, err := os.Create(p.file)
	if err != nil {
		return nil, cannotProfile(err)
	}
	end, err := p.begin(file)
	if err != nil {
		return nil, cannotProfile(errors.Join(err, file.Close()))
	}
	return func() error {
		if err := errors.Join(end(), file.Close()); err != nil {
			return failure{cannotProfile(err)}
		}
		fmt.Fprintf(a.stderr, "%s: profile in %s\n", a.name, p.file)
		return nil
	}, nil
}

func cannotProfile(err error) error { return fmt.Errorf("cannot write the profile: %w", err) }
