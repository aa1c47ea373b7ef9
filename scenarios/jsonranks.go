package scenarios

import (
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/report"
)

// jsonRank is the result of a rank.
type jsonRank struct {
	Outcome  report.Outcome `json:"outcome"`
	Coloured instant        `json:"coloured"`
	Exit     instant        `json:"exit"`
}

// ranksAtATime is the results of how many ranks are text at the same time.
const ranksAtATime = 1 << 16

// writeRanks writes the results of all ranks. Those of other parts come as text, in the order of ranks.
func writeRanks(w io.Writer, rep *report.Report) error {
	list := jsonList{w: w}
	list.begin()
	if rep.Share == nil {
		for ranks := range slices.Chunk(rep.Ranks, ranksAtATime) {
			list.add(jsonRanks(ranks))
		}
	} else {
		list.note(rep.Share.Lost)
		for part := range rep.Share.Parts.Count() {
			list.addPart(rep, part)
		}
	}
	list.end()
	return list.err
}

// jsonRanks are results as elements of a list.
func jsonRanks(results []report.RankResult) []byte {
	ranks := make([]jsonRank, len(results))
	for i, r := range results {
		ranks[i] = jsonRank{r.Outcome, instant(r.Coloured), instant(r.Exit)}
	}
	text, err := json.Marshal(ranks)
	if err != nil {
		panic(err) // numbers and words
	}
	return text[1 : len(text)-1]
}

// jsonList writes a list of ranks. After an error it writes nothing.
type jsonList struct {
	w     io.Writer
	comma string
	err   error
}

func (l *jsonList) begin() { l.write([]byte(`"ranks":[`)) }
func (l *jsonList) end()   { l.write([]byte("]")) }

func (l *jsonList) write(text []byte) {
	if l.err == nil {
		_, l.err = l.w.Write(text)
	}
}

func (l *jsonList) note(err error) { l.err = errors.Join(l.err, err) }

// add adds some elements.
func (l *jsonList) add(elements []byte) {
	l.write([]byte(l.comma))
	l.write(elements)
	l.comma = ","
}

// addPart adds the ranks of a part. All others wait for it meanwhile, also if nothing can be written any more.
func (l *jsonList) addPart(rep *report.Report, part int) {
	s := rep.Share
	block := parts.BlockOf(part, s.Parts.Count(), s.Size)
	for from := 0; from < block.Len && s.Lost == nil; from += ranksAtATime {
		out := make([][]byte, s.Parts.Count())
		if part == s.Parts.Index() {
			out[0] = jsonRanks(rep.Ranks[from:min(from+ranksAtATime, block.Len)])
		}
		in, err := s.Parts.Exchange(out)
		if err != nil {
			s.Lost = err
			l.note(err)
			return
		}
		l.add(in[part])
	}
}
