package guarantee

import (
	"fmt"
	"slices"
	"strings"
)

// Tally counts, over many runs, how often each promise was judged. The zero Tally has no runs.
type Tally struct {
	Runs   int64   `json:"runs"`
	Counts []Count `json:"promises"` // in the order in which they were met first
}

// Count is how often a promise was judged, that is held or broken, and how often it was broken.
type Count struct {
	Name   string `json:"name"`
	Judged int64  `json:"judged"`
	Broken int64  `json:"broken"`
	Safety bool   `json:"safety,omitempty"`
}

// Add counts the verdicts of a run.
func (t *Tally) Add(all []Verdict) {
	t.Runs++
	for i := range all {
		c := t.count(i, all[i].Name)
		c.Safety = all[i].Safety
		if all[i].Value != NotClaimed {
			c.Judged++
		}
		if all[i].Value == Broken {
			c.Broken++
		}
	}
}

// Merge adds the counts of other runs.
func (t *Tally) Merge(other Tally) {
	t.Runs += other.Runs
	for i, o := range other.Counts {
		c := t.count(i, o.Name)
		c.Safety = o.Safety
		c.Judged += o.Judged
		c.Broken += o.Broken
	}
}

// count finds the counter of a promise, most likely at that place, or makes one.
func (t *Tally) count(place int, name string) *Count {
	if place >= len(t.Counts) || t.Counts[place].Name != name {
		if place = slices.IndexFunc(t.Counts, func(c Count) bool { return c.Name == name }); place < 0 {
			place = len(t.Counts)
			t.Counts = append(t.Counts, Count{Name: name})
		}
	}
	return &t.Counts[place]
}

// Overall is what all runs come to: what [Overall] says of each promise as it fared in all of them.
func (t *Tally) Overall() Value {
	var all []Verdict
	for _, c := range t.Counts {
		v := Verdict{Value: NotClaimed, Safety: c.Safety}
		switch {
		case c.Broken > 0:
			v.Value = Broken
		case c.Judged > 0:
			v.Value = Held
		}
		all = append(all, v)
	}
	return Overall(all)
}

// Warning says which promises were judged in less than half of the runs; "" if none.
func (t *Tally) Warning() string {
	var seldom []string
	for _, c := range t.Counts {
		if 2*c.Judged < t.Runs {
			seldom = append(seldom, fmt.Sprintf("%q in %d of %d", c.Name, c.Judged, t.Runs))
		}
	}
	if len(seldom) == 0 {
		return ""
	}
	return "judged in less than half of the runs: " + strings.Join(seldom, ", ")
}
