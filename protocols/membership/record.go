package membership

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// Record is what a rank has noted about itself.
type Record struct {
	Installed []Installed // views, in order
	Led       []Led       // view changes that it has led to their end as root
	Stays     []Stay      // when it was a member
	Last      Passage     // its part in the last view change it took part in
	Terms     int         // how often it has become a member
	Excluded  int         // how often it was told that it is no member any more
	Founded   int         // how often it has begun a group of its own
	Aborted   bool        // it found itself in a minority, and stopped
	Member    bool        // it is one, as far as it knows
	View      Changes     // its view, if it is one
}

// begin notes that the rank is a member from now on.
func (r *Record) begin(now clock.Time) {
	r.Member = true
	r.Terms++
	r.Stays = append(r.Stays, Stay{now, clock.Never})
}

// end notes that it is none any more.
func (r *Record) end(now clock.Time) {
	if last := len(r.Stays) - 1; r.Member {
		r.Stays[last].To = now
	}
	r.Member = false
}

// goOn notes that the rank goes on in its view, unless that is the one from the start. Whoever becomes a member later installs a view with it.
func (r *Record) goOn() {
	if last := len(r.Installed) - 1; last >= 0 {
		r.Installed[last].GoesOn = true
	}
}

// Installed is a view that a rank has made its own.
type Installed struct {
	At   clock.Time
	Term int     // how often the rank had become a member before
	View Changes // what it holds now
	// Kind and Message are those of the message that brought it, or that its root has sent.
	Kind    mailbox.Kind
	Message Changes
	// GoesOn says that the rank has gone on after its part in the view change: it did not abort.
	GoesOn bool
}

// Stay is a time in which a rank was a member. One that fails does not note when.
type Stay struct {
	From, To clock.Time // To is [clock.Never] while it goes on
}

// Led is a view change that has come to its end: all who took part have acknowledged it, or were
// given up.
type Led struct {
	Began   clock.Time // the root learnt what has changed
	At      clock.Time // it had all acknowledgements
	Changes Changes
	// Stable says that nobody was given up, and nobody has told of further changes: all live members
	// have installed the view.
	Stable bool
}

// Passage is a view change as it passed through one rank.
type Passage struct {
	Changes  Changes
	Parent   int        // from whom it came; -1: the rank is its root
	Learnt   clock.Time // it had the news
	Computed clock.Time // its view was recalculated: it can begin to send to its children
	// Slowest is the child whose acknowledgement came last, and Turn how many sends came before
	// the one to it. -1 without children.
	Slowest, Turn int
	Heard         clock.Time // when that came, or when it was given up
	Acknowledged  clock.Time // it began to acknowledge itself
}
