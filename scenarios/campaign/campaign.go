package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/internal/splitmix"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// Campaign is a set of lines, each of which is run many times.
type Campaign struct {
	Name  string `toml:"name" json:"name"`
	About string `toml:"about" json:"about,omitempty"`
	// Line is what is the same in all runs, or there are several Lines, each of which is swept.
	Line  string   `toml:"line" json:"line,omitempty"`
	Lines []string `toml:"lines" json:"lines,omitempty"`
	Sweep []Axis   `toml:"sweep" json:"sweep"`
	Runs  int      `toml:"runs" json:"runs"` // of each point
	Seed  uint64   `toml:"seed" json:"seed"`

	// Quick and Full are other numbers of runs: for a first look, and for as many as a paper has.
	Quick int `toml:"quick" json:"-"`
	Full  int `toml:"full" json:"-"`

	// Machines are the files that lines name with the key machine, by their names, as they were when
	// the campaign was read. Results for other ones are results of another campaign.
	Machines map[string]string `toml:"-" json:"machines,omitempty"`

	protocols scenarios.Registry // that lines can name
}

// Axis is a key of the line that takes several values.
type Axis struct {
	Key    string `toml:"key" json:"key"`
	Values Values `toml:"values" json:"values"`
}

// A campaign may have up to maxPoints combinations of values, and MaxRuns runs, all points together.
const (
	maxPoints = 100_000
	MaxRuns   = 1_000_000_000
)

// Parse reads the description of a campaign whose lines name these protocols. The error lists all problems.
func Parse(protocols scenarios.Registry, text string) (*Campaign, error) {
	c := Campaign{protocols: protocols}
	meta, err := toml.Decode(text, &c)
	if err != nil {
		return nil, fmt.Errorf("campaign: %w", err)
	}
	var wrong problems.List
	for _, key := range meta.Undecoded() {
		wrong.Add("unknown key %s, want name, about, line or lines, runs, quick, full, seed, and sweep with key and values", key)
	}
	wrong = append(wrong, c.problems()...)
	if err := wrong.ErrLines("campaign"); err != nil {
		return nil, err
	}
	if c.Machines, err = c.readMachines(); err != nil {
		return nil, fmt.Errorf("campaign: %w", err)
	}
	return &c, nil
}

// problems lists what is wrong with a campaign.
func (c *Campaign) problems() (wrong problems.List) {
	switch {
	case c.Name == "":
		wrong.Add("no name")
	case !filepath.IsLocal(c.Name) || c.Name != filepath.Base(c.Name) || c.Name == ".":
		wrong.Add("name = %q, want one that can be the name of a file", c.Name)
	}
	wrong.Check(int64(c.Seed) >= 0, "seed = %d, want 0 to %d", int64(c.Seed), int64(math.MaxInt64))
	switch {
	case c.Line == "" && len(c.Lines) == 0:
		wrong.Add("no line, want such as \"broadcast P=1024\", or several lines")
	case c.Line != "" && len(c.Lines) > 0:
		wrong.Add("line = %q and %d lines, want one of the two", c.Line, len(c.Lines))
	}
	for i, line := range c.lines() {
		if len(c.Lines) > 0 && strings.TrimSpace(line) == "" {
			wrong.Add("line %d of lines is empty", i+1)
		}
		for _, word := range strings.Fields(line) {
			if strings.HasPrefix(word, "seed=") {
				wrong.Add("line has %q; want the seed of the campaign in a line of its own", word)
			}
		}
	}
	if c.Quick < 0 || c.Full < 0 || c.Quick > MaxRuns || c.Full > MaxRuns {
		wrong.Add("quick = %d, full = %d, want 1 to %d runs of each point", c.Quick, c.Full, MaxRuns)
	}
	points := max(1, len(c.Lines))
	for _, axis := range c.Sweep {
		if axis.Key == "" || axis.Key == "seed" {
			wrong.Add("sweep of key %q, want one of the line's other than seed", axis.Key)
		}
		wrong.Check(len(axis.Values) > 0, "sweep of %s has no values", axis.Key)
		points = min(MaxRuns+1, points*max(1, len(axis.Values)))
	}
	wrong.Check(points <= maxPoints, "more than %d combinations of values, want up to that", maxPoints)
	wrong.Check(c.Runs >= 1 && c.Runs <= MaxRuns/points, "%d runs of %d points, want 1 to %d in all", c.Runs, points, MaxRuns)
	if len(wrong) > 0 {
		return wrong
	}
	for p := range c.Points() {
		_, err := c.protocols.ParseLine(c.LineOf(p, 0))
		wrong.Note(err)
	}
	return wrong
}

// lines are those that are swept.
func (c *Campaign) lines() []string {
	if len(c.Lines) > 0 {
		return c.Lines
	}
	return []string{c.Line}
}

// axes are what differs between points: the lines, if there are several, then the swept keys.
func (c *Campaign) axes() []Axis {
	if len(c.Lines) == 0 {
		return c.Sweep
	}
	return append([]Axis{{Key: "line", Values: c.Lines}}, c.Sweep...)
}

// Points is the number of combinations of values.
func (c *Campaign) Points() int {
	n := 1
	for _, axis := range c.axes() {
		n *= len(axis.Values)
	}
	return n
}

// Jobs is the number of all runs. Job j is run j%Runs of point j/Runs.
func (c *Campaign) Jobs() int { return c.Points() * c.Runs }

// ValuesOf are the values of the axes at a point, in their order.
func (c *Campaign) ValuesOf(point int) []string {
	axes := c.axes()
	values := make([]string, len(axes))
	for i := len(axes) - 1; i >= 0; i-- {
		n := len(axes[i].Values)
		values[i] = axes[i].Values[point%n]
		point /= n
	}
	return values
}

// LineOf is the line of a run of a point.
func (c *Campaign) LineOf(point, run int) string {
	line, values := c.Line, c.ValuesOf(point)
	if len(c.Lines) > 0 {
		line, values = values[0], values[1:]
	}
	for i, value := range values {
		line += " " + c.Sweep[i].Key + "=" + value
	}
	return fmt.Sprintf("%s seed=%d", line, c.seedOf(run))
}

// seedOf is the seed of a run, the same for all points: the next number of the generator SplitMix64.
func (c *Campaign) seedOf(run int) uint64 {
	return splitmix.At(c.Seed, uint64(run+1))
}

// digest identifies what is run. What a campaign is about may be reworded.
func (c *Campaign) digest() string {
	same := *c
	same.About = ""
	text, err := json.Marshal(same)
	if err != nil {
		panic(fmt.Sprintf("campaign: %v", err))
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
