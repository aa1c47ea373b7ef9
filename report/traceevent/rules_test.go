package traceevent_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/stretchr/testify/require"
)

// file is a trace as a viewer reads it.
type file struct {
	Other  map[string]string `json:"otherData"`
	Events []entry           `json:"traceEvents"`
}

// entry is one event of the format. Pointers tell what is missing from what is 0.
type entry struct {
	Phase string         `json:"ph"`
	PID   *int           `json:"pid"`
	TID   *int           `json:"tid"`
	TS    *int64         `json:"ts"`
	Dur   *int64         `json:"dur"`
	Name  string         `json:"name"`
	Cat   string         `json:"cat"`
	Scope string         `json:"s"`
	ID    *int64         `json:"id"`
	Bind  string         `json:"bp"`
	Args  map[string]any `json:"args"`
}

func (e *entry) end() int64 { return *e.TS + *e.Dur }

// parsed is a file that keeps the rules of the format.
type parsed struct {
	file
	threads map[int]string
	slices  map[int][]*entry // by thread, in the order of time
	arrows  []arrow
}

// arrow is a message: the slices that it joins.
type arrow struct{ send, receive *entry }

// parse reads a trace and checks the rules of the format, as its definition has them, from
// what is written alone.
func parse(t require.TestingT, text []byte) *parsed {
	p := &parsed{threads: make(map[int]string), slices: make(map[int][]*entry)}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&p.file))
	require.False(t, decoder.More(), "one object")
	p.metadata(t)
	for i := range p.Events {
		p.check(t, &p.Events[i])
	}
	for _, track := range p.slices {
		requireNested(t, track)
	}
	p.flows(t)
	return p
}

// metadata collects the names of threads: each has one, and one place.
func (p *parsed) metadata(t require.TestingT) {
	places := make(map[int]bool)
	require.Equal(t, "process_name", p.Events[0].Name)
	require.Equal(t, map[string]any{"name": "ranks"}, p.Events[0].Args)
	for _, e := range p.Events[1:] {
		switch {
		case e.Phase != "M":
		case e.Name == "thread_name":
			require.NotContains(t, p.threads, *e.TID)
			p.threads[*e.TID] = e.Args["name"].(string)
		case e.Name == "thread_sort_index":
			require.False(t, places[*e.TID])
			places[*e.TID] = true
			_, err := e.Args["sort_index"].(json.Number).Int64()
			require.NoError(t, err)
		default:
			require.Fail(t, "metadata", e.Name)
		}
	}
	require.Len(t, places, len(p.threads))
}

// check looks at one event on its own.
func (p *parsed) check(t require.TestingT, e *entry) {
	require.NotNil(t, e.PID)
	require.Equal(t, 1, *e.PID)
	require.NotEmpty(t, e.Name)
	require.NotNil(t, e.TS)
	require.GreaterOrEqual(t, *e.TS, int64(0))
	require.NotEmpty(t, e.Cat)
	if e.Phase == "M" {
		return
	}
	require.NotNil(t, e.TID)
	require.Positive(t, *e.TID)
	require.Contains(t, p.threads, *e.TID)
	require.Equal(t, e.Phase == "X", e.Dur != nil, "a duration")
	require.Equal(t, e.Phase == "s" || e.Phase == "f", e.ID != nil, "an id")
	require.Equal(t, e.Phase == "f", e.Bind == "e", "bound to the slice around it")
	require.Equal(t, e.Phase == "i", e.Scope == "t", "a scope")
	switch e.Phase {
	case "X":
		require.GreaterOrEqual(t, *e.Dur, int64(0))
		p.slices[*e.TID] = append(p.slices[*e.TID], e)
	case "i", "s", "f":
	default:
		require.Fail(t, "phase", e.Phase)
	}
}

// requireNested sorts the slices of a thread by time and requires that of any two, one is in
// the other or after it.
func requireNested(t require.TestingT, track []*entry) {
	slices.SortStableFunc(track, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(*a.TS, *b.TS), cmp.Compare(*b.Dur, *a.Dur))
	})
	var open []*entry
	for _, e := range track {
		for len(open) > 0 && open[len(open)-1].end() <= *e.TS {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			around := open[len(open)-1]
			require.LessOrEqual(t, e.end(), around.end(), "thread %d: slice at %d overlaps that at %d", *e.TID, *e.TS, *around.TS)
		}
		open = append(open, e)
	}
}

// flows joins the ends of flows: each has one start and one end, not before the start, and a
// slice begins at either.
func (p *parsed) flows(t require.TestingT) {
	starts, ends := make(map[int64]*entry), make(map[int64]*entry)
	for i := range p.Events {
		e := &p.Events[i]
		side := map[string]map[int64]*entry{"s": starts, "f": ends}[e.Phase]
		if side != nil {
			require.NotContains(t, side, *e.ID)
			side[*e.ID] = e
		}
	}
	require.Len(t, ends, len(starts))
	for id, s := range starts {
		f := ends[id]
		require.NotNil(t, f, "flow %d has no end", id)
		require.LessOrEqual(t, *s.TS, *f.TS)
		require.Equal(t, []string{s.Name, s.Cat}, []string{f.Name, f.Cat})
		p.arrows = append(p.arrows, arrow{p.sliceAt(t, s), p.sliceAt(t, f)})
	}
}

// sliceAt finds the slice that a flow belongs to.
func (p *parsed) sliceAt(t require.TestingT, e *entry) *entry {
	track := p.slices[*e.TID]
	i, ok := slices.BinarySearchFunc(track, *e.TS, func(s *entry, at int64) int { return cmp.Compare(*s.TS, at) })
	require.True(t, ok, "no slice begins at %d on thread %d", *e.TS, *e.TID)
	return track[i]
}

// count is how many events have a phase and a category.
func (p *parsed) count(phase, category string) (n int) {
	for i := range p.Events {
		if e := &p.Events[i]; e.Phase == phase && e.Cat == category {
			n++
		}
	}
	return n
}

// named are the events of a phase with a name.
func (p *parsed) named(phase, name string) (found []*entry) {
	for i := range p.Events {
		if e := &p.Events[i]; e.Phase == phase && e.Name == name {
			found = append(found, e)
		}
	}
	return found
}
