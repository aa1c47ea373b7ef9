package benchmark

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A run is cold in a process that has done nothing yet, and only there. Go keeps the
// descriptors of goroutines that have ended for ever, scattered over the memory that the stacks of
// the next million will use. What it gives back to the system around them comes back in small pages
// instead of huge ones, and a second machine takes a quarter longer than the first.
// So benchmarks that are about a new machine measure in processes of their own.
//
// Hosts of virtual machines take memory back that nobody has used for some seconds. To get it again,
// page by page, takes half as long as the whole run. So every such process is run twice, the second
// time right after the first, and the second one counts.

// inHere is set for such a process: it measures by itself.
const inHere = "MANGROVE_BENCH_HERE"

// Metrics are what a benchmark has reported, by unit.
type Metrics map[string]float64

// Fresh has a benchmark measure in fresh processes, and reports the means of what they report.
func Fresh(b *testing.B, measure func(*testing.B)) {
	if os.Getenv(inHere) != "" {
		measure(b)
		return
	}
	sums := Metrics{}
	for b.Loop() {
		for unit, value := range InFreshProcess(b, b.Name()) {
			sums[unit] += value
		}
	}
	for unit, sum := range sums {
		b.ReportMetric(sum/float64(b.N), unit)
	}
}

// InFreshProcess runs one benchmark of this binary in a process of its own, twice, while this one does nothing.
func InFreshProcess(b *testing.B, name string) Metrics {
	debug.FreeOSMemory() // nothing is left to be done in the background
	runBenchmark(b, name)
	return runBenchmark(b, name)
}

func runBenchmark(b *testing.B, name string) Metrics {
	levels := strings.Split(name, "/")
	for i, level := range levels {
		levels[i] = "^" + regexp.QuoteMeta(level) + "$"
	}
	args := []string{"-test.run", "^$", "-test.bench", strings.Join(levels, "/"),
		"-test.benchtime", "1x", "-test.cpu", strconv.Itoa(runtime.GOMAXPROCS(0)), "-bench-huge"}
	flag.Visit(func(f *flag.Flag) {
		if strings.HasPrefix(f.Name, "bench-") || f.Name == "test.short" {
			args = append(args, "-"+f.Name+"="+f.Value.String()) // as here
		}
	})
	benchmark := exec.Command(os.Args[0], args...)
	benchmark.Env = append(os.Environ(), inHere+"=1")
	printed, err := benchmark.CombinedOutput()
	require.NoError(b, err, "%s", printed)
	found, err := parseMetrics(string(printed))
	require.NoError(b, err)
	return found
}

// parseMetrics reads the line of the only benchmark in what a process has printed: its name, how many
// times it ran, and pairs of value and unit.
func parseMetrics(printed string) (Metrics, error) {
	var found Metrics
	for line := range strings.Lines(printed) {
		fields := strings.Fields(line)
		if !strings.HasPrefix(line, "Benchmark") || len(fields) < 4 {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("several benchmarks ran:\n%s", printed)
		}
		found = Metrics{}
		for i := 2; i+1 < len(fields); i += 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return nil, fmt.Errorf("%q is no value in %q", fields[i], line)
			}
			found[fields[i+1]] = value
		}
	}
	if found == nil {
		return nil, fmt.Errorf("no benchmark ran:\n%s", printed)
	}
	return found, nil
}
