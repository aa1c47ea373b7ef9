package view

import (
	"fmt"
	"strconv"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
)

// Data is what a page has of a run. Times are in ticks; -1 stands for never, and for no rank.
type Data struct {
	Line    string `json:"line"`
	Machine string `json:"machine"`
	Seed    string `json:"seed"` // text: numbers in a browser have 53 bits
	Hash    string `json:"hash"`
	TickNS  int64  `json:"tick_ns"` // what a tick stands for; 0 if it has no unit
	End     int64  `json:"end"`     // the last instant
	Size    int    `json:"size"`    // of the machine, in ranks
	First   int    `json:"first"`   // the ranks that are drawn
	Last    int    `json:"last"`
	Spreads bool   `json:"spreads"` // ranks are coloured

	Kinds    []string  `json:"kinds"` // names of kinds of messages
	Messages Messages  `json:"messages"`
	Notices  Notices   `json:"notices"`
	Steps    Marks     `json:"steps"`
	Turns    Marks     `json:"turns"` // crashes, hangs, slow-downs and rejoins
	Ranks    Ranks     `json:"ranks"`
	Above    Ancestors `json:"above"`
	Waiting  []Wait    `json:"waiting"` // who waits for ever
	Curves   Curves    `json:"curves"`

	Rows       []Row               `json:"rows"`
	Guarantees []guarantee.Verdict `json:"guarantees"`
	Faults     []Fault             `json:"faults"`
	Cuts       Column              `json:"cuts"` // when links were cut
	LeftOut    []string            `json:"left_out"`
}

// Messages are those that have an end in the range, ordered by when they were sent.
type Messages struct {
	Count  int    `json:"count"`
	From   Column `json:"from"`
	To     Column `json:"to"`
	Kind   Column `json:"kind"` // index into Data.Kinds
	Epoch  Column `json:"epoch"`
	A      Column `json:"a"`
	Sent   Column `json:"sent"`   // when the send began, after the one before
	Took   Column `json:"took"`   // how long the send took
	Fate   Column `json:"fate"`   // a Fate
	Flight Column `json:"flight"` // from the end of the send to the beginning of the receive, or to its loss
	Takes  Column `json:"takes"`  // how long the receive took; 0 if there was none
}

// Fate is what became of a message.
type Fate int64

const (
	Received Fate = iota
	Lost          // it disappeared at a crashed rank
	Cut           // it disappeared on a cut link
	Unsent        // its sender failed in the middle of the send
	UnderWay      // nobody received it
)

// Notices are what the failure detector told ranks of the range.
type Notices struct {
	Count int    `json:"count"`
	Rank  Column `json:"rank"`
	About Column `json:"about"`
	Start Column `json:"start"` // after the one before
	Took  Column `json:"took"`
}

// Marks are instants of ranks of the range.
type Marks struct {
	Count int      `json:"count"`
	Names []string `json:"names"`
	Rank  Column   `json:"rank"`
	Time  Column   `json:"time"`  // after the one before
	What  Column   `json:"what"`  // index into Names
	Value Column   `json:"value"` // the factor of a slow-down
}

// Ranks are how the run went for each rank of the range.
type Ranks struct {
	Outcome  Column   `json:"outcome"` // index into Names
	Names    []string `json:"names"`
	Coloured Column   `json:"coloured"`
	By       Column   `json:"by"` // the sender of the message that coloured it
	Exit     Column   `json:"exit"`
	Sent     Column   `json:"sent"` // messages
	Received Column   `json:"received"`
}

// Ancestors are ranks outside of the range that ranks of it were reached from, directly or through
// others. Without them a tree of some ranks would be in pieces.
type Ancestors struct {
	Count    int    `json:"count"`
	Rank     Column `json:"rank"`
	Coloured Column `json:"coloured"`
	By       Column `json:"by"`
}

// Wait is a rank that waits for ever.
type Wait struct {
	Rank  int    `json:"rank"`
	Since int64  `json:"since"`
	Text  string `json:"text"`
}

// NewData takes from a run what its page shows.
func NewData(run Run) (*Data, error) {
	rep := run.Report
	if err := run.Ranks.check(len(rep.Ranks)); err != nil {
		return nil, fmt.Errorf("view: ranks %w", err)
	}
	if run.Limit <= 0 {
		run.Limit = DefaultLimit
	}
	c := newCollector(run)
	c.collect()
	d := &Data{
		Line:    run.Line,
		Machine: fmt.Sprintf("P=%d L=%d o=%d g=%d G=%d", len(rep.Ranks), rep.LogP.Latency, rep.LogP.Overhead, rep.LogP.Gap, rep.LogP.PerByte),
		Seed:    strconv.FormatUint(rep.Seed, 10),
		Hash:    rep.Hash.String(),
		TickNS:  int64(run.Tick),
		End:     int64(c.end),
		Size:    len(rep.Ranks),
		First:   run.Ranks.First,
		Last:    run.Ranks.Last,
		Spreads: !run.Uncoloured,

		Kinds:    list(c.kinds.names),
		Messages: c.messageColumns(),
		Notices:  c.noticeColumns(),
		Steps:    c.steps.columns(),
		Turns:    c.turns.columns(),
		Ranks:    c.rankColumns(),
		Above:    c.ancestors(),
		Curves:   c.curves.data(),

		Rows:       list(run.Rows),
		Guarantees: list(run.Guarantees),
		LeftOut:    c.leftOut(),
	}
	d.Waiting, d.LeftOut = waiting(run, d.LeftOut)
	d.Faults, d.LeftOut = schedule(run, d.LeftOut)
	d.Cuts = cuts(run)
	return d, nil
}

// list is never null in JSON.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// ticks is a time with -1 for never.
func ticks(t clock.Time) int64 {
	if t == clock.Never {
		return -1
	}
	return int64(t)
}
