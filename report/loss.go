package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// Loss is a message that was lost on its way. Machines keep the last few of each sender, to explain who waits in vain.
type Loss struct {
	From  int
	To    int
	Time  clock.Time // when it left its sender
	Kind  mailbox.Kind
	Epoch uint32
	Cut   bool // its link was cut
}

// String reads like "the message from 3 was lost at t=12".
func (l Loss) String() string {
	text := fmt.Sprintf("the message from %d was lost at t=%d", l.From, l.Time)
	if l.Cut {
		text += ", on a cut link"
	}
	return text
}

// Losses are those of one sender: the last few.
type Losses []Loss

// maxLosses is how many of a sender's losses are kept.
const maxLosses = 8

// Add notes one more.
func (l *Losses) Add(loss Loss) {
	if len(*l) == maxLosses {
		*l = slices.Delete(*l, 0, 1)
	}
	*l = append(*l, loss)
}

// lossesByReceiver orders losses by who did not get the message, and by time.
func lossesByReceiver(all []Loss) []Loss {
	slices.SortFunc(all, func(a, b Loss) int {
		return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(a.Time, b.Time), cmp.Compare(a.From, b.From))
	})
	return all
}

// lossesByTime orders losses by time, for those who might have been told of them by others. Each names its receiver.
func lossesByTime(all []Loss) []elsewhere {
	others := make([]elsewhere, len(all))
	for i, l := range all {
		others[i] = elsewhere{l}
	}
	slices.SortStableFunc(others, func(a, b elsewhere) int { return cmp.Compare(a.Time, b.Time) })
	return others
}

// elsewhere is a loss of somebody else's message.
type elsewhere struct{ Loss }

// String reads like "the message from 3 to 5 was lost at t=12".
func (l elsewhere) String() string {
	return strings.Replace(l.Loss.String(), " was ", fmt.Sprintf(" to %d was ", l.To), 1)
}

// lostFor finds the last message lost that a wait would have accepted. Losses are ordered by receiver.
func lostFor(w *Wait, all []Loss) (last Loss, found bool) {
	i, _ := slices.BinarySearchFunc(all, w.Rank, func(l Loss, rank int) int { return cmp.Compare(l.To, rank) })
	for ; i < len(all) && all[i].To == w.Rank; i++ {
		if l := all[i]; w.Accepts.Accepts(l.From, l.Kind, l.Epoch) {
			last, found = l, true
		}
	}
	return last, found
}
