package report

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Share is what the report of one part of a machine has in it whose ranks are shared among several: Ranks are then the results of this part's ranks, which
// stay where they are however many there are in all. Everything else is the same in the reports of all parts.
//
// What is asked of all ranks is asked by all parts, of the same run and in the same order, and each looks at its own: [Report.Find], [Report.ResultOf] and
// [FromAll] return when all have been asked.
type Share struct {
	First int // the rank whose result is Ranks[0]
	Size  int // ranks of all parts
	Parts Parts
	// Lost is why the parts could not answer each other; nil if they could. What they were asked then means nothing.
	Lost error
}

// Parts are those that share the ranks. Exchange gives a batch to each, and returns what each has given to this one.
type Parts interface {
	Index() int
	Count() int
	Exchange(out [][]byte) (in [][]byte, err error)
}

// Size is how many ranks the machine had.
func (rep *Report) Size() int {
	if rep.Share != nil {
		return rep.Share.Size
	}
	return len(rep.Ranks)
}

// first is the rank whose result is the first in the report.
func (rep *Report) first() int {
	if rep.Share != nil {
		return rep.Share.First
	}
	return 0
}

// own is the result of a rank that is in the report; nil if it is in that of another part.
func (rep *Report) own(rank int) *RankResult {
	place := rank - rep.first()
	if uint(place) >= uint(len(rep.Ranks)) {
		return nil
	}
	return &rep.Ranks[place]
}

// FromAll returns what each part says, in the order of their ranks; what is said here alone if the report has all ranks. Nothing is lost on the way that
// is in the JSON of a value.
func FromAll[T any](rep *Report, own T) []T {
	s := rep.Share
	if s == nil {
		return []T{own}
	}
	all := make([]T, s.Parts.Count())
	all[s.Parts.Index()] = own
	if s.Lost == nil {
		s.Lost = s.ask(own, func(part int) any { return &all[part] })
	}
	return all
}

// ask fills in what the other parts say.
func (s *Share) ask(own any, answer func(part int) any) error {
	text, err := json.Marshal(own)
	if err != nil {
		return err
	}
	in, err := s.Parts.Exchange(slices.Repeat([][]byte{text}, s.Parts.Count()))
	if err != nil {
		return err
	}
	for part, text := range in {
		if part == s.Parts.Index() {
			continue
		}
		if err := json.Unmarshal(text, answer(part)); err != nil {
			return fmt.Errorf("report: what part %d says: %w", part, err)
		}
	}
	return nil
}

// Found are ranks of which something is so: the first few of them, and how many there are.
type Found struct {
	First []int
	Count int
}

// Find looks for ranks of which something is so.
func (rep *Report) Find(is func(rank int, r *RankResult) bool) Found {
	var own, all Found
	for i := range rep.Ranks {
		rank := rep.first() + i
		if !is(rank, &rep.Ranks[i]) {
			continue
		}
		if own.Count++; len(own.First) < maxListed {
			own.First = append(own.First, rank)
		}
	}
	for _, f := range FromAll(rep, own) {
		all.First = append(all.First, f.First[:min(len(f.First), maxListed-len(all.First))]...)
		all.Count += f.Count
	}
	return all
}

// ResultOf is how the run went for one rank.
func (rep *Report) ResultOf(rank int) RankResult {
	return *rep.resultsOf([]int{rank})[0]
}

// resultsOf are the results of some ranks.
func (rep *Report) resultsOf(ranks []int) []*RankResult {
	own := make([]*RankResult, len(ranks))
	for i, rank := range ranks {
		own[i] = rep.own(rank)
	}
	results := make([]*RankResult, len(ranks))
	for _, known := range FromAll(rep, own) {
		for i := range known { // none if that part is gone
			if known[i] != nil {
				results[i] = known[i]
			}
		}
	}
	for i := range results {
		if results[i] == nil { // see Lost
			results[i] = new(RankResult)
		}
	}
	return results
}

// LongestList is how many ranks Unreached and Deadlocks name: the first ones. Unlisted is how many more there are.
const LongestList = 1 << 20

// Unlisted is how many ranks the lists of a report leave out.
type Unlisted struct {
	Unreached int `json:"unreached"`
	Deadlocks int `json:"deadlocks"`
}

// Missed are the live ranks that were never coloured.
func (rep *Report) Missed() Found {
	return Found{First: rep.Unreached, Count: len(rep.Unreached) + rep.Unlisted.Unreached}
}

// Waiting is how many ranks wait for ever.
func (rep *Report) Waiting() int { return len(rep.Deadlocks) + rep.Unlisted.Deadlocks }
