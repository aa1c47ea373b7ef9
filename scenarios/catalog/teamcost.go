package catalog

import (
	"context"
	"errors"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// errNoPlain is what Costs says of protocols that have no plain version.
var errNoPlain = errors.New("there is no plain version to compare with")

// Costs compares a line with its plain version, which stands no failures, and with restarting that.
// The first is the plain version without failures, to which all others are compared.
func Costs(ctx context.Context, r *scenarios.Run, opts scenarios.Options) ([]scenarios.TeamCost, error) {
	if _, ok := r.Settings().Lookup("strategy"); !ok {
		return nil, errNoPlain
	}
	var all []scenarios.TeamCost
	measure := func(name, line string) error {
		cost, err := measureCost(ctx, r.Protocol(), name, line, opts)
		if err == nil {
			all = append(all, cost)
		}
		return err
	}
	plain := r.WithSetting("strategy", "plain")
	err := errors.Join(
		measure("plain, no failures", plain.WithFaults(nil)),
		measure("this line, no failures", r.WithFaults(nil)),
	)
	if len(r.Settings().Faults()) > 0 {
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
		restartFresh(&all[4], all[0], r.Settings().Ticks("restart"))
	}
	relate(all)
	return all, nil
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

// measureCost runs a line of a protocol.
func measureCost(ctx context.Context, p scenarios.Protocol, name, line string, opts scenarios.Options) (scenarios.TeamCost, error) {
	run, err := p.ParseLine(line)
	if err != nil {
		return scenarios.TeamCost{}, err
	}
	opts.Trace = emu.TraceOff
	outcome, err := run.Execute(ctx, opts)
	if err != nil {
		return scenarios.TeamCost{}, err
	}
	if !outcome.Held() {
		return scenarios.TeamCost{}, fmt.Errorf("scenarios: %s: a guarantee is broken", line)
	}
	done := outcome.Completion
	return scenarios.TeamCost{Name: name, Line: line, Messages: outcome.Report.Messages, Time: done.Ended, Done: done.At != clock.Never, Noticed: done.Noticed}, nil
}
