package view

import (
	"fmt"
	"strconv"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// pageData is what a page has of a run. Times are in ticks; -1 stands for never, and for no rank.
type pageData struct {
	Line    string `json:"line"`
	Machine string `json:"machine"`
	Seed    string `json:"seed"`    // text: numbers in a browser have 53 bits
	Hash    string `json:"hash"`    // "" if there is none
	TickNS  int64  `json:"tick_ns"` // what a tick stands for; 0 if it has no unit
	End     int64  `json:"end"`     // the last instant
	Size    int    `json:"size"`    // of the machine, in ranks
	First   int    `json:"first"`   // the ranks that are drawn
	Last    int    `json:"last"`
	Spreads bool   `json:"spreads"` // ranks are coloured

	Kinds    []string        `json:"kinds"` // names of kinds of messages
	Messages messageColumns  `json:"messages"`
	Notices  noticeColumns   `json:"notices"`
	Steps    markColumns     `json:"steps"`
	Turns    markColumns     `json:"turns"` // crashes, hangs, slow-downs and rejoins
	Ranks    rankColumns     `json:"ranks"`
	Above    ancestorColumns `json:"above"`
	Waiting  []waitItem      `json:"waiting"` // who waits for ever
	Storage  *storageColumns `json:"storage,omitempty"`
	Curves   curveColumns    `json:"curves"`

	Rows       []Row           `json:"rows"`
	Guarantees []verdictItem   `json:"guarantees"`
	Verdict    guarantee.Value `json:"verdict"` // what they come to
	Faults     []faultItem     `json:"faults"`
	Cuts       column          `json:"cuts"`  // when links were cut
	Mends      column          `json:"mends"` // when they were mended
	LeftOut    []string        `json:"left_out"`
}

// messageColumns are the messages that have an end in the range, ordered by when they were sent.
type messageColumns struct {
	Count  int    `json:"count"`
	From   column `json:"from"`
	To     column `json:"to"`
	Kind   column `json:"kind"` // index into pageData.Kinds
	Epoch  column `json:"epoch"`
	A      column `json:"a"`
	Sent   column `json:"sent"`   // when the send began, after the one before
	Took   column `json:"took"`   // how long the send took
	Fate   column `json:"fate"`   // a fate
	Flight column `json:"flight"` // from the end of the send to the beginning of the receive, or to its loss
	Takes  column `json:"takes"`  // how long the receive took; 0 if there was none
	Late   column `json:"late"`   // how much longer it was under way than it should have been
	Again  column `json:"again"`  // 1 if it has arrived before
}

// fate is what became of a message.
type fate int64

const (
	fateReceived fate = iota
	fateLost          // it disappeared at a crashed rank
	fateCut           // it disappeared on a cut link
	fateUnsent        // its sender failed in the middle of the send
	fateUnderWay      // nobody received it
	fateDropped       // it was lost on its way
)

// noticeColumns are what the failure detector told ranks of the range.
type noticeColumns struct {
	Count int    `json:"count"`
	Rank  column `json:"rank"`
	About column `json:"about"`
	Start column `json:"start"` // after the one before
	Took  column `json:"took"`
}

// markColumns are instants of ranks of the range.
type markColumns struct {
	Count int      `json:"count"`
	Names []string `json:"names"`
	Rank  column   `json:"rank"`
	Time  column   `json:"time"`  // after the one before
	What  column   `json:"what"`  // index into Names
	Value column   `json:"value"` // the factor of a slow-down
}

// rankColumns say how the run went for each rank of the range.
type rankColumns struct {
	Outcome  column   `json:"outcome"` // index into Names
	Names    []string `json:"names"`
	Coloured column   `json:"coloured"`
	By       column   `json:"by"` // the sender of the message that coloured it
	Exit     column   `json:"exit"`
	Sent     column   `json:"sent"` // messages
	Received column   `json:"received"`
}

// ancestorColumns are ranks outside of the range that ranks of it were reached from, directly or through
// others. Without them a tree of some ranks would be in pieces.
type ancestorColumns struct {
	Count    int    `json:"count"`
	Rank     column `json:"rank"`
	Coloured column `json:"coloured"`
	By       column `json:"by"`
}

// waitItem is a rank that waits for ever.
type waitItem struct {
	Rank  int    `json:"rank"`
	Since int64  `json:"since"`
	Text  string `json:"text"`
}

// newData takes from a run what its page shows.
func newData(run Run) (*pageData, error) {
	rep := run.Report
	if err := run.Ranks.check(len(rep.Ranks)); err != nil {
		return nil, fmt.Errorf("view: ranks %w", err)
	}
	if err := checkMarks(run.Guarantees, len(rep.Ranks)); err != nil {
		return nil, err
	}
	if run.Limit <= 0 {
		run.Limit = defaultLimit
	}
	c := newCollector(run)
	c.collect()
	d := &pageData{
		Line:    run.Line,
		Machine: run.Machine(),
		Seed:    strconv.FormatUint(rep.Seed, 10),
		Hash:    hashOf(rep),
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
		Storage:  c.storage.columns(),
		Curves:   c.curves.data(),

		Rows:    list(run.Rows),
		Verdict: guarantee.Overall(run.Guarantees),
		LeftOut: c.leftOut(),
	}
	d.Guarantees, d.LeftOut = verdicts(run, d.LeftOut)
	d.Waiting, d.LeftOut = waiting(run, d.LeftOut)
	d.Faults, d.LeftOut = schedule(run, d.LeftOut)
	d.Cuts, d.Mends = linksChanged(run, faults.Cut), linksChanged(run, faults.Mend)
	return d, nil
}

// hashOf is that of the events; real processes have none.
func hashOf(rep *report.Report) string {
	if rep.Processes {
		return ""
	}
	return rep.Hash.String()
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
