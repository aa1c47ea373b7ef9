package membership

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// Record is what a rank has noted about itself.
type Record struct {
	Installed []Installed // views, in order
	Stable    []Stable    // view changes that it has led as root
	Last      Passage     // its part in the last view change it took part in
	Terms     int         // how often it has become a member
	Excluded  int         // how often it was told that it is no member any more
	Aborted   bool        // it found itself in a minority, and stopped
	Member    bool        // it is one, as far as it knows
	View      Changes     // its view, if it is one
}

// Installed is a view that a rank has made its own.
type Installed struct {
	At   clock.Time
	Term int     // how often the rank had become a member before
	View Changes // what it holds now
	// Kind and Message are those of the message that brought it, or that its root has sent.
	Kind    mailbox.Kind
	Message Changes
}

// Stable is a view change that is complete: everybody has acknowledged it.
type Stable struct {
	Began   clock.Time // the root learnt what has changed
	At      clock.Time // it had all acknowledgements
	Changes Changes
	// Clean says that nobody has told of further changes meanwhile: all members hold the view.
	Clean bool
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
