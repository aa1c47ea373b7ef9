package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
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

// Anyone is the sender of a [Wait] for a message from whomever.
const Anyone = -1

// Wait is what a machine knows of a rank that waits for ever.
type Wait struct {
	Rank  int
	Call  string
	Want  string
	From  int // the only rank whose message would do, or Anyone
	Since clock.Time

	Accepts mailbox.Want // what Want says
}

// WaitIn describes a rank that waits in a call of its Proc for a message that the call accepts; name,
// if not nil, names kinds of messages.
func WaitIn(call string, rank int, want mailbox.Want, name func(mailbox.Kind) string, since clock.Time) Wait {
	w := Wait{Rank: rank, Call: call, Want: want.Describe(name), From: Anyone, Since: since, Accepts: want}
	if call == "WaitUntil" { // which accepts no message, but waits for an instant
		w.Want = clock.Never.String()
	}
	if sender, named := want.Sender(); named {
		w.From = sender
	}
	return w
}

// Explain turns waits, ordered by rank, into deadlocks with their causes, of which messages that were lost may be some.
// The machine has filled in all the rest of the report before. Where ranks are shared, all parts explain the same waits.
func (rep *Report) Explain(waits []Wait, losses []Loss) {
	causes := causeFinder{rep: rep, waits: waits, losses: lossesByReceiver(losses), known: make([]string, len(waits)), at: make(map[int]int)}
	causes.askFor(rep)
	for i, w := range waits {
		rep.Deadlocks = append(rep.Deadlocks, Deadlock{Rank: w.Rank, Call: w.Call, Want: w.Want, Since: w.Since, Cause: causes.of(i)})
	}
}

// causeFinder follows who waits for whom. Waits are named by their places in the list.
type causeFinder struct {
	rep    *Report
	waits  []Wait
	losses []Loss      // ordered by receiver
	known  []string    // what was found out about waits on earlier paths
	path   []int       // the waits followed, each for the next one's rank
	at     map[int]int // where on the path a wait is
	anyone string      // why nobody sends, once it has been asked for

	results map[int]*RankResult // of ranks that others wait for, if some of them are in other reports
}

// askFor finds out what has become of the ranks that others wait for.
func (f *causeFinder) askFor(rep *Report) {
	if rep.Share == nil || len(f.waits) == 0 {
		return
	}
	var senders []int
	for i := range f.waits {
		if from := f.waits[i].From; from != Anyone && from < rep.Size() {
			senders = append(senders, from)
		}
	}
	slices.Sort(senders)
	senders = slices.Compact(senders)
	f.results = make(map[int]*RankResult, len(senders))
	for i, result := range rep.resultsOf(senders) {
		f.results[senders[i]] = result
	}
}

// resultOf is what has become of a rank that another one waits for.
func (f *causeFinder) resultOf(rank int) *RankResult {
	if f.results != nil {
		return f.results[rank]
	}
	return &f.rep.Ranks[rank]
}

// of explains a wait: it follows the senders named in receives to the first rank that does
// not wait for another named one.
func (f *causeFinder) of(wait int) string {
	f.path = f.path[:0]
	clear(f.at)
	f.follow(wait)
	cause := ""
	for cause == "" {
		last := f.path[len(f.path)-1]
		if cause = f.known[last]; cause == "" {
			cause = f.endOfPath(&f.waits[last])
		}
	}
	for _, i := range f.path {
		f.known[i] = cause
	}
	return cause
}

// endOfPath explains a wait for a message that was lost, for a rank that does not wait itself, or for nobody in
// particular; otherwise it extends the path and returns "".
func (f *causeFinder) endOfPath(w *Wait) string {
	if lost, found := lostFor(w, f.losses); found {
		return lost.String()
	}
	sender := w.From
	switch {
	case sender == Anyone:
		if f.anyone == "" {
			f.anyone = f.whyNobodySends()
		}
		return f.anyone
	case sender >= f.rep.Size():
		return fmt.Sprintf("there is no rank %d", sender)
	}
	if r := f.resultOf(sender); r.Outcome != Deadlocked {
		return Failure{Rank: sender, Outcome: r.Outcome, Time: r.Exit}.String()
	}
	next, listed := slices.BinarySearchFunc(f.waits, sender, func(w Wait, rank int) int { return cmp.Compare(w.Rank, rank) })
	if !listed { // there are more than LongestList
		return fmt.Sprintf("rank %d waits for ever, too", sender)
	}
	if i, met := f.at[next]; met {
		return f.cycle(f.path[i:])
	}
	f.follow(next)
	return ""
}

// follow extends the path.
func (f *causeFinder) follow(wait int) {
	f.at[wait] = len(f.path)
	f.path = append(f.path, wait)
}

// cycle names ranks that wait for each other, starting with the lowest.
func (f *causeFinder) cycle(waits []int) string {
	first := slices.Index(waits, slices.Min(waits))
	var b strings.Builder
	for i := range waits {
		if i == maxListed {
			b.WriteString("... -> ")
			break
		}
		fmt.Fprintf(&b, "%d -> ", f.waits[waits[(first+i)%len(waits)]].Rank)
	}
	return fmt.Sprintf("ranks wait for each other: %s%d", b.String(), f.waits[waits[first]].Rank)
}

// maxListed is how many ranks a diagnosis lists.
const maxListed = 8

// whyNobodySends explains a rank that would take a message from anyone.
func (f *causeFinder) whyNobodySends() string {
	failed := f.rep.Failed
	switch cut := f.rep.Faults.Has(faults.Cut); {
	case len(failed)+len(f.losses) > 0:
	case cut:
		return "links were cut and no message is under way"
	default:
		return "no rank has failed and no message is under way"
	}
	reasons := listed(failed, "failed")
	if len(f.losses) > 0 {
		reasons = append(reasons, listed(lossesByTime(f.losses), "were lost")...)
	}
	return "no message is under way; " + strings.Join(reasons, ", ")
}

// listed lists a few of them, and says how many more there are.
func listed[T fmt.Stringer](all []T, verb string) (words []string) {
	for i, one := range all {
		if i == maxListed {
			words[i-1] += fmt.Sprintf(" and %d more %s", len(all)-i, verb)
			break
		}
		words = append(words, one.String())
	}
	return words
}
