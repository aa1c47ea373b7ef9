package campaign

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// Summary is what the runs of a point have in common.
type Summary struct {
	Point  int
	Values []string // of the swept keys
	Runs   int

	Messages, Colouring, Quiescence, Exit stats.Sample
	Done                                  stats.Sample // of computations that have a result
	RootExit                              stats.Sample // of runs in which rank 0 came to its end

	// Gap and Correction are what corrections found and took that began on all ranks at once,
	// and Corrections is how often each pair of the two was seen.
	Gap, Correction stats.Sample
	Corrections     map[GapTime]int

	Missed   stats.Sample     // live ranks that were not reached
	Held     stats.Proportion // what was promised, of the runs that were judged
	Broken   int              // the first run in which a promise was broken, if there is any
	Judged   guarantee.Tally
	Complete stats.Proportion // all live ranks were reached
}

// GapTime is the largest gap that a correction found, and how long it took.
type GapTime struct {
	Gap  int
	Took clock.Time
}

// Summarize reads a file of results of these protocols. A file that is not complete is summarized as far as it goes.
func Summarize(protocols scenarios.Registry, file string) (*Campaign, []Summary, error) {
	p, err := openPart(file)
	if err != nil {
		return nil, nil, err
	}
	defer p.file.Close()
	c := p.head.Campaign
	c.protocols = protocols
	all := c.summaries()
	for number := 2; ; number++ {
		line, err := p.in.ReadBytes('\n')
		if err == io.EOF {
			return c, all, nil // what is left of an interrupted line does not count
		}
		if err != nil {
			return nil, nil, err
		}
		var r Record
		if err := json.Unmarshal(line, &r); err != nil || r.Point < 0 || r.Point >= len(all) || r.Job != p.head.Shard.job(number-2) {
			return nil, nil, &FileError{file, fmt.Sprintf("line %d is not that of a run", number)}
		}
		all[r.Point].add(r)
	}
}

// summaries are those of all points, without any runs.
func (c *Campaign) summaries() []Summary {
	all := make([]Summary, c.Points())
	for i := range all {
		all[i].Point, all[i].Values = i, c.ValuesOf(i)
		all[i].Judged.Counts = c.promised(c.LineOf(i, 0))
	}
	return all
}

// promised are the promises of a line that runs without a trace are judged by, with nothing counted yet; none if the line
// cannot be read any more.
func (c *Campaign) promised(line string) (counts []guarantee.Count) {
	run, err := c.protocols.ParseLine(line)
	if err != nil {
		return nil
	}
	for _, p := range run.Promises() {
		if !p.NeedsEvents() || run.RecordsEvents() {
			counts = append(counts, guarantee.Count{Name: p.Name(), Safety: p.IsSafety()})
		}
	}
	return counts
}

// judge counts which promises were judged.
func (s *Summary) judge(r Record) {
	s.Judged.Runs++
	for i := range s.Judged.Counts {
		c := &s.Judged.Counts[i]
		if !slices.Contains(r.Unclaimed, c.Name) {
			c.Judged++
		}
		if slices.Contains(r.Broken, c.Name) {
			c.Broken++
		}
	}
	if r.Unjudged {
		return
	}
	if !r.Held && s.Held.Hits == s.Held.Runs {
		s.Broken = r.Run
	}
	s.Held.Add(r.Held)
}

func (s *Summary) add(r Record) {
	s.Runs++
	s.Messages.Add(float64(r.Messages))
	if r.Colouring != nil {
		s.Colouring.Add(float64(*r.Colouring))
	}
	s.Quiescence.Add(float64(r.Quiescence))
	s.Exit.Add(float64(r.Exit))
	if r.RootExit >= 0 {
		s.RootExit.Add(float64(r.RootExit))
	}
	if r.Gap != nil && r.Correction != nil {
		s.Gap.Add(float64(*r.Gap))
		s.Correction.Add(float64(*r.Correction))
		if s.Corrections == nil {
			s.Corrections = make(map[GapTime]int)
		}
		s.Corrections[GapTime{*r.Gap, *r.Correction}]++
	}
	if r.Done != nil {
		s.Done.Add(float64(*r.Done))
	}
	s.judge(r)
	if r.Unreached != nil {
		s.Missed.Add(float64(*r.Unreached))
		s.Complete.Add(*r.Unreached == 0)
	}
}
