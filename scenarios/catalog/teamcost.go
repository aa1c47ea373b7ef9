package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// errNoPlain is what Costs says of protocols that have no plain version.
var errNoPlain = errors.New("there is no plain version to compare with")

// Costs compares a line with its plain version, which stands no failures, and with restarting that.
// The first is the plain version without failures, to which all others are compared. Those without failures may be known from
// another line that differs in its failures only; they are not measured again.
func Costs(ctx context.Context, r *scenarios.Run, opts scenarios.Options, known ...scenarios.TeamCost) ([]scenarios.TeamCost, error) {
	if _, ok := r.Settings().Lookup("strategy"); !ok {
		return nil, errNoPlain
	}
	away, err := forGood(r)
	if err != nil {
		return nil, err
	}
	plain := away.WithSetting("strategy", "plain")
	all := []scenarios.TeamCost{
		{Name: "plain, no failures", Line: plain.WithFaults(nil)},
		{Name: "this line, no failures", Line: r.WithFaults(nil)},
	}
	if len(r.Settings().Faults()) > 0 {
		all = append(all,
			scenarios.TeamCost{Name: "this line", Line: r.String()},
			scenarios.TeamCost{Name: "restarted on the ranks left", Line: away.WithSetting("strategy", "restart").String()},
			scenarios.TeamCost{Name: "plain, given up", Line: plain.String()},
		)
	}
	for i := range all {
		at := slices.IndexFunc(known, func(c scenarios.TeamCost) bool { return c.Name == all[i].Name && c.Line == all[i].Line })
		if i < 2 && at >= 0 {
			all[i] = known[at]
			continue
		}
		err = errors.Join(err, measureCost(ctx, r.Protocol(), &all[i], opts))
	}
	if err != nil {
		return nil, err
	}
	if len(all) > 4 {
		restartFresh(&all[4], all[0], r.Settings().Ticks("restart"))
	}
	relate(all)
	return all, nil
}

// forGood is the line without those who come back, which other strategies do not let.
func forGood(r *scenarios.Run) (*scenarios.Run, error) {
	schedule := r.Settings().Faults()
	if !schedule.Has(faults.Rejoin) {
		return r, nil
	}
	away := slices.DeleteFunc(slices.Clone(schedule), func(f faults.Fault) bool { return f.Kind == faults.Rejoin })
	return r.Protocol().ParseLine(r.WithFaults(away))
}

// restartFresh makes the cost of a plain run that of one that is begun again on as many ranks, if
// one of them failed on the way: what was done in vain, and then everything again.
func restartFresh(c *scenarios.TeamCost, again scenarios.TeamCost, delay clock.Time) {
	if c.Noticed == clock.Never {
		c.Name = "plain, done before"
		return
	}
	c.Name = "restarted on fresh ranks"
	c.Messages += again.Messages
	c.Time = max(c.Time, c.Noticed) + delay + again.Time
	c.Done = again.Done
}

// relate compares costs to the first.
func relate(all []scenarios.TeamCost) {
	for i := range all {
		all[i].TimesMessages = float64(all[i].Messages) / float64(max(1, all[0].Messages))
		all[i].TimesTime = float64(all[i].Time) / float64(max(1, all[0].Time))
	}
}

// measureCost runs the line of a way to compute something.
func measureCost(ctx context.Context, p scenarios.Protocol, c *scenarios.TeamCost, opts scenarios.Options) error {
	run, err := p.ParseLine(c.Line)
	if err != nil {
		return err
	}
	opts.Trace = emu.TraceOff
	outcome, err := run.Execute(ctx, opts)
	if err != nil {
		return err
	}
	if outcome.Verdict() == guarantee.Broken {
		return fmt.Errorf("scenarios: %s: a guarantee is broken", c.Line)
	}
	done := outcome.Completion
	c.Messages, c.Time, c.Done, c.Noticed = outcome.Report.Messages, done.Ended, done.At != clock.Never, done.Noticed
	return nil
}
