package paper

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/membership/model"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// Figures 6.3 to 6.11 of the thesis measure view changes over TCP and over MPI, on two clusters with a switch each. Here processes of one machine take the
// places of nodes, and its processors that of the switch: what all share.

// transport is a way that messages take.
type transport struct {
	name    string
	alone   bool     // there is no MPI job: a launcher starts the processes
	command []string // that runs a line
}

var transports = []transport{
	{"TCP", true, []string{"launch", "--pace", "free", "--json"}},
	{"MPI", false, []string{"join", "--pace", "free", "--json"}},
}

// job is a command on so many processes of the transport. Only a launcher must be told how many there are.
func (t transport) job(processes int, words ...string) Job {
	if t.alone {
		words = append(words, "-n", fmt.Sprint(processes))
	}
	return Job{Processes: processes, Alone: t.alone, Words: words}
}

// clusterChange is a view change on so many ranks, each of which is a process.
type clusterChange struct {
	over            transport
	children, ranks int
	height          int
	base, contended float64      // what models predict, in microseconds
	emulated        float64      // what the emulator says of the machine that was calibrated
	took            stats.Sample // in microseconds
}

// sizesOfClusters are numbers of ranks. Trees are complete with 3, 7 and 15 if ranks have two children, with 5 and 21 if they have four.
func (o Options) sizesOfClusters() []int {
	switch o.Size {
	case campaign.Quick:
		return []int{3, 5, 7}
	case campaign.Full:
		return []int{3, 4, 5, 6, 7, 9, 12, 15, 18, 21, 26, 31}
	}
	return []int{3, 4, 5, 6, 7, 9, 12, 15}
}

// complete reports whether a tree has as many ranks as one of its height can have.
func complete(ranks, children int) bool {
	for all, level := 1, 1; all <= ranks; all += level {
		if all == ranks {
			return true
		}
		level *= children
	}
	return false
}

// lineFor is the line in which the last rank joins, when all others have long begun. Nobody is suspected meanwhile, however busy the machine is.
func (c *clusterChange) lineFor(machine string) string {
	return fmt.Sprintf("membership a=%d P=%d members=%d join=%d@t20000000 inquire=none timeout=10s until=200ms machine=%s", c.children, c.ranks, c.ranks-1, c.ranks-1, machine)
}

// measureClusters measures all sizes over all transports, by turns.
func measureClusters(ctx context.Context, o Options) ([]*clusterChange, error) {
	var all []*clusterChange
	for _, over := range transports {
		for _, children := range []int{2, 4} {
			for _, ranks := range o.sizesOfClusters() {
				if ranks > children {
					all = append(all, &clusterChange{over: over, children: children, ranks: ranks})
				}
			}
		}
	}
	e, err := newEngine(o, "membership-mpi", 0)
	if err != nil {
		return nil, err
	}
	e.of = len(transports) + len(all)*e.turns()
	folder, err := os.MkdirTemp("", "mangrove")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	machines := make(map[string]string)
	for _, over := range transports {
		machines[over.name] = filepath.Join(folder, over.name+".toml")
		if err := e.calibrate(ctx, over, machines[over.name]); err != nil {
			return nil, err
		}
	}
	for range e.turns() {
		for _, c := range all {
			if err := e.change(ctx, c, c.lineFor(machines[c.over.name])); err != nil {
				return nil, err
			}
		}
	}
	for _, c := range all {
		if err := c.predict(ctx, all, machines[c.over.name]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// calibrate writes the file of a machine with as many processes as will be measured at most.
func (e *engine) calibrate(ctx context.Context, over transport, file string) error {
	sizes := e.sizesOfClusters()
	_, err := e.Job(ctx, over.job(sizes[len(sizes)-1], "calibrate", "--times", "3", "--out", file))
	if err != nil {
		return fmt.Errorf("calibrating %s: %w", over.name, err)
	}
	e.progress()
	return nil
}

// change measures a view change once more.
func (e *engine) change(ctx context.Context, c *clusterChange, line string) error {
	var took float64
	err := errNotStable
	for attempt := 0; attempt < mostAttempts && errors.Is(err, errNotStable); attempt++ {
		var text []byte
		if text, err = e.Job(ctx, c.over.job(c.ranks, slices.Concat(c.over.command, strings.Fields(line))...)); err == nil {
			took, err = readStabilization(text)
		}
	}
	if err != nil {
		return fmt.Errorf("%s over %s: %w", line, c.over.name, err)
	}
	c.took.Add(took)
	e.progress()
	return nil
}

// mostAttempts is how often a view change is begun that is not over in time, as on a machine that does something else meanwhile.
const mostAttempts = 3

var errNotStable = errors.New("paper: a job has measured nothing: no view change was completed")

// readStabilization finds T_s in what 'mangrove launch' and 'join' print, in microseconds.
func readStabilization(text []byte) (float64, error) {
	var outcome struct {
		Tick    float64 `json:"tick_ns"`
		Verdict string  `json:"verdict"`
		Figures []struct {
			Name  string  `json:"name"`
			Ticks float64 `json:"ticks"`
		} `json:"figures"`
	}
	if err := json.Unmarshal(text, &outcome); err != nil {
		return 0, fmt.Errorf("paper: what a job has printed: %w", err)
	}
	if outcome.Verdict == broken {
		return 0, errors.New("paper: a promise was broken in a job")
	}
	for _, figure := range outcome.Figures {
		if figure.Name == "T_s" && figure.Ticks > 0 {
			return figure.Ticks * outcome.Tick / 1000, nil
		}
	}
	return 0, errNotStable
}

// predict is what models and the emulator say. The base model has the latency between two ranks. That of the contention model is half of
// what a parent and all its children take, as in the thesis, where the curve is flat from there on.
func (c *clusterChange) predict(ctx context.Context, all []*clusterChange, file string) error {
	machine, err := line.ReadMachineFile(file)
	if err != nil {
		return err
	}
	emulated, err := catalog.MeasureStabilization(ctx, c.lineFor(file))
	if err != nil {
		return err
	}
	micros := func(t clock.Time) float64 { return float64(t) / 1000 } // a tick is a nanosecond
	delivery, known := machine.Measured["delivery"].(float64)
	if !known {
		return fmt.Errorf("%s: no measured delivery", file)
	}
	c.height, c.emulated = emulated.Height, micros(emulated.Measured)
	c.base = micros(model.Base(clock.Time(delivery), 0, c.height))
	family := findChange(all, c.over.name, c.children, c.children+1)
	c.contended = micros(model.Base(clock.Time(family.took.Median()*1000/2), 0, c.height))
	return nil
}

// findChange is the one that was measured on so many ranks.
func findChange(all []*clusterChange, over string, children, ranks int) *clusterChange {
	for _, c := range all {
		if c.over.name == over && c.children == children && c.ranks == ranks {
			return c
		}
	}
	panic(fmt.Sprintf("paper: %d ranks with %d children were not measured over %s", ranks, children, over))
}
