package scenarios

import "github.com/mangrove-emu/mangrove/clock"

// Completion is when a computation on a team came to its end.
type Completion struct {
	At       clock.Time // on the last live rank; Never if one has no result
	Ended    clock.Time // the same, also if there is no result
	Noticed  clock.Time // when it was known that a rank had failed on the way; Never if none has
	Attempts int
}

// instant is that of the result, for JSON; nil if the protocol computes nothing.
func (c Completion) instant() *instant {
	if c.Attempts == 0 {
		return nil
	}
	at := instant(c.At)
	return &at
}

// TeamCost is what a way to compute something costs.
type TeamCost struct {
	Name     string     `json:"name"`
	Line     string     `json:"line"`
	Messages int64      `json:"messages"`
	Time     clock.Time `json:"time"`
	// Done says that there was a result.
	Done bool `json:"done"`
	// TimesMessages and TimesTime say how many times as much that is as without failures and
	// without any tolerance.
	TimesMessages float64 `json:"times_messages"`
	TimesTime     float64 `json:"times_time"`

	Noticed clock.Time `json:"-"` // that of Completion
}
