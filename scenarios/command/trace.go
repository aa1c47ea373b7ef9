package command

import (
	"strings"
	"time"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/report/traceevent"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// openTrace makes sure, before a run, that its trace can be written, if there is to be one.
func (f *runFlags) openTrace(a *app) (*outFile, error) {
	if f.trace == "" {
		return nil, nil
	}
	return a.openOut("trace", f.trace)
}

// writeTrace writes the events of a run, if that was asked for: for viewers if the name of the file says so, else
// one a line.
func (f *runFlags) writeTrace(out *outFile, outcome *scenarios.Outcome, kindName func(mailbox.Kind) string) error {
	switch {
	case out == nil:
		return nil
	case strings.HasSuffix(f.trace, ".json"):
		return out.finish(traceevent.Write(out, timelineOf(outcome, kindName)))
	}
	return out.finish(report.WriteEvents(out, outcome.Report.Events, kindName))
}

// timelineOf is what viewers are shown of a run.
func timelineOf(outcome *scenarios.Outcome, kindName func(mailbox.Kind) string) traceevent.Run {
	return traceevent.Run{
		Report:     outcome.Report,
		KindName:   kindName,
		Network:    outcome.Network,
		Uncoloured: outcome.Reduction,
		Line:       outcome.Line,
		Tick:       time.Duration(outcome.Unit),
	}
}
