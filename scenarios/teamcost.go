package scenarios

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
)

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

	noticed clock.Time // that of Completion
}

// ErrNoPlain is what Costs says of protocols that have no plain version.
var ErrNoPlain = errors.New("there is no plain version to compare with")

// Costs compares a line with its plain version, which stands no failures, and with restarting that.
// The first is the plain version without failures, to which all others are compared.
func (r *Run) Costs(ctx context.Context, opts Options) ([]TeamCost, error) {
	if _, ok := r.settings.Lookup("strategy"); !ok {
		return nil, ErrNoPlain
	}
	var all []TeamCost
	measure := func(name, line string) error {
		cost, err := measureCost(ctx, name, line, opts)
		if err == nil {
			all = append(all, cost)
		}
		return err
	}
	plain := r.WithSetting("strategy", "plain")
	err := errors.Join(
		measure("plain, no failures", plain.With(nil)),
		measure("this line, no failures", r.With(nil)),
	)
	if len(r.settings.Faults()) > 0 {
		err = errors.Join(err,
			measure("this line", r.String()),
			measure("restarted on the ranks left", r.WithSetting("strategy", "restart").String()),
			measure("plain, given up", plain.String()),
		)
	}
	if err != nil {
		return nil, err
	}
	if len(all) > 4 {
		all[4].restartFresh(all[0], clock.Time(r.settings.Number("restart")))
	}
	relate(all)
	return all, nil
}

// restartFresh makes the cost of a plain run that of one that is begun again on as many ranks, if
// one of them failed on the way: what was done in vain, and then everything again.
func (c *TeamCost) restartFresh(again TeamCost, delay clock.Time) {
	if c.noticed == clock.Never {
		c.Name = "plain, done before"
		return
	}
	c.Name = "restarted on fresh ranks"
	c.Messages += again.Messages
	c.Time = max(c.Time, c.noticed) + delay + again.Time
	c.Done = again.Done
}

// relate compares costs to the first.
func relate(all []TeamCost) {
	for i := range all {
		all[i].TimesMessages = float64(all[i].Messages) / float64(max(1, all[0].Messages))
		all[i].TimesTime = float64(all[i].Time) / float64(max(1, all[0].Time))
	}
}

// measureCost runs a line.
func measureCost(ctx context.Context, name, line string, opts Options) (TeamCost, error) {
	run, err := ParseLine(line)
	if err != nil {
		return TeamCost{}, err
	}
	opts.Trace = emu.TraceOff
	outcome, err := run.Execute(ctx, opts)
	if err != nil {
		return TeamCost{}, err
	}
	if !outcome.Held() {
		return TeamCost{}, fmt.Errorf("scenarios: %s: a guarantee is broken", line)
	}
	done := outcome.Completion
	return TeamCost{Name: name, Line: line, Messages: outcome.Report.Messages, Time: done.Ended, Done: done.At != clock.Never, noticed: done.Noticed}, nil
}

// WithSetting returns the line with another value of a key. The value must be a valid one.
func (r *Run) WithSetting(key, value string) *Run {
	words := slices.DeleteFunc(slices.Clone(r.words), func(word string) bool { return strings.HasPrefix(word, key+"=") })
	changed, err := ParseLine(strings.Join(append(words, key+"="+value), " "))
	if err != nil {
		panic(fmt.Sprintf("scenarios: %s with %s=%s: %v", r, key, value, err))
	}
	return changed
}
