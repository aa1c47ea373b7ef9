package emu

import (
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
)

// Deadlock is a rank that still waited when nothing could happen any more.
type Deadlock struct {
	Rank  int        `json:"rank"`
	Call  string     `json:"call"`  // the call it waits in
	Want  string     `json:"want"`  // what that call accepts
	Since clock.Time `json:"since"` // when it began to wait
	Cause string     `json:"cause"` // which failed rank, or whatever else, explains it
}

// String reads like "rank 3 in Recv(kind=ack from 7) since t=10: rank 7 crashed at t=12".
func (d Deadlock) String() string {
	return fmt.Sprintf("rank %d in %s(%s) since t=%d: %s", d.Rank, d.Call, d.Want, d.Since, d.Cause)
}

// diagnose says why ranks still wait.
func (m *Machine) diagnose(rep *Report, waiting []int32) {
	causes := causeFinder{m: m, failed: rep.Failed, known: make(map[int32]string), at: make(map[int32]int)}
	for _, id := range waiting {
		r := &m.ranks[id]
		d := Deadlock{
			Rank:  int(id),
			Call:  r.call.String(),
			Want:  r.want.Describe(m.program.KindName),
			Since: r.now,
			Cause: causes.of(r),
		}
		if r.call == callWait {
			d.Want = clock.Never.String()
		}
		rep.Deadlocks = append(rep.Deadlocks, d)
	}
}

// causeFinder follows who waits for whom.
type causeFinder struct {
	m      *Machine
	failed []Failure
	known  map[int32]string // what was found out about ranks on earlier paths
	path   []int32          // the ranks followed, each waiting for the next
	at     map[int32]int    // where on the path a rank is
	anyone string           // why nobody sends, once it has been asked for
}

// of explains why r waits: it follows the senders named in receives to the first rank
// that does not wait for another named one.
func (f *causeFinder) of(r *rank) string {
	f.path = append(f.path[:0], r.id)
	clear(f.at)
	f.at[r.id] = 0
	cause := ""
	for cause == "" {
		last := &f.m.ranks[f.path[len(f.path)-1]]
		if cause = f.known[last.id]; cause == "" {
			cause = f.endOfPath(last)
		}
	}
	for _, id := range f.path {
		f.known[id] = cause
	}
	return cause
}

// endOfPath explains a rank that waits for nobody in particular, or for a rank that does
// not wait itself; otherwise it extends the path and returns "".
func (f *causeFinder) endOfPath(last *rank) string {
	sender, named := last.want.Sender()
	if !named {
		if f.anyone == "" {
			f.anyone = f.nobody()
		}
		return f.anyone
	}
	if sender >= len(f.m.ranks) {
		return fmt.Sprintf("there is no rank %d", sender)
	}
	res := &f.m.results[sender]
	switch s := &f.m.ranks[sender]; s.state {
	case crashed, hung:
		return Failure{Rank: sender, Outcome: res.Outcome, Time: res.Exit}.String()
	case finished:
		return fmt.Sprintf("rank %d finished at t=%d", sender, res.Exit)
	}
	if i, met := f.at[int32(sender)]; met {
		return f.cycle(f.path[i:])
	}
	f.at[int32(sender)] = len(f.path)
	f.path = append(f.path, int32(sender))
	return ""
}

// cycle names ranks that wait for each other, starting with the lowest.
func (f *causeFinder) cycle(ranks []int32) string {
	lowest := 0
	for i, id := range ranks {
		if id < ranks[lowest] {
			lowest = i
		}
	}
	var b strings.Builder
	for i := range ranks {
		if i == maxListed {
			b.WriteString("... -> ")
			break
		}
		fmt.Fprintf(&b, "%d -> ", ranks[(lowest+i)%len(ranks)])
	}
	return fmt.Sprintf("ranks wait for each other: %s%d", b.String(), ranks[lowest])
}

// maxListed is how many ranks a diagnosis lists.
const maxListed = 8

// nobody explains a rank that would take a message from anyone.
func (f *causeFinder) nobody() string {
	switch cut := len(f.m.links.cuts) > 0; {
	case len(f.failed) == 0 && cut:
		return "links were cut and no message is under way"
	case len(f.failed) == 0:
		return "no rank has failed and no message is under way"
	}
	var b strings.Builder
	b.WriteString("no message is under way; ")
	for i, failure := range f.failed {
		if i == maxListed {
			fmt.Fprintf(&b, " and %d more failed", len(f.failed)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(failure.String())
	}
	return b.String()
}
