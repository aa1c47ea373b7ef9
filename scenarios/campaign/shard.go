package campaign

import (
	"fmt"
	"strconv"
	"strings"
)

// Shard is a part of the runs: those whose number leaves the remainder Index when divided by Count.
// The zero Shard is all of them.
type Shard struct {
	Index int `json:"index"`
	Count int `json:"count"`
}

// normal is the shard with its numbers, also if it is all.
func (s Shard) normal() Shard {
	if s == (Shard{}) {
		return Shard{0, 1}
	}
	return s
}

// validate says what is wrong with a shard.
func (s Shard) validate() error {
	if n := s.normal(); n.Count < 1 || n.Index < 0 || n.Index >= n.Count {
		return fmt.Errorf("campaign: shard %d/%d, want 0/n to n-1/n", s.Index, s.Count)
	}
	return nil
}

// jobs is how many of so many jobs belong to the shard; the i-th of them is number Index + i*Count.
func (s Shard) jobs(all int) int { return (all - s.Index + s.Count - 1) / s.Count }

func (s Shard) job(i int) int { return s.Index + i*s.Count }

// ParseShard reads i/n.
func ParseShard(text string) (Shard, error) {
	index, count, ok := strings.Cut(text, "/")
	i, errIndex := strconv.Atoi(index)
	n, errCount := strconv.Atoi(count)
	s := Shard{Index: i, Count: n}
	if !ok || errIndex != nil || errCount != nil || n < 1 || s.validate() != nil {
		return s, fmt.Errorf("%q, want i/n with i from 0 to n-1", text)
	}
	return s, nil
}

// FileName is what a file of the results of a campaign of this name is called, unless somebody has a better idea.
func (s Shard) FileName(name string) string {
	if s.Count > 1 {
		return fmt.Sprintf("%s-%d-of-%d.ndjson", name, s.Index, s.Count)
	}
	return name + ".ndjson"
}
