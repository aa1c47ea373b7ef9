package launch

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// judgeEvents judges a run, by its events as well if all of them are there: a message seems to come from nowhere if what its sender did is not known.
func judgeEvents(line *scenarios.Run, res *tcp.Result) *scenarios.Outcome {
	if len(res.Unrecorded) == 0 {
		return line.Judge(res.Report)
	}
	events := res.Events
	res.Events = nil
	outcome := line.Judge(res.Report)
	res.Events = events
	outcome.Notes = append(outcome.Notes, fmt.Sprintf("the events of %s were lost when somebody else ended their processes, so no promise is judged by events", guarantee.ListRanks(res.Unrecorded)))
	return outcome
}

// judge puts what processes have left into the experiment of a line, and decides about its guarantees.
func judge(line *scenarios.Run, processes int, res *tcp.Result) (*scenarios.Outcome, error) {
	line.Prepare()
	for rank, state := range res.States {
		if res.Ranks[rank].Outcome.Failed() {
			continue
		}
		if err := line.Load(rank, state); err != nil {
			return nil, fmt.Errorf("launch: what rank %d has left: %w", rank, err)
		}
	}
	outcome := judgeEvents(line, res)
	outcome.Processes = processes
	outcome.Late = res.Late
	switch outcome.ExcuseLateness(); {
	case outcome.Verdict() == guarantee.TooLate:
		outcome.Notes = append(outcome.Notes, fmt.Sprintf("processes were up to %s behind the model, so deadlines may have been missed; %s may help", outcome.Unit.Span(outcome.Late), remedy(res.Paced)))
	case !res.Paced:
		outcome.Late = 0 // nothing was expected of them
	}
	if spread := line.Config().Detection.Spread; spread > 0 {
		outcome.Notes = append(outcome.Notes, fmt.Sprintf("a spread of %s is not imposed on processes: they hear of failures as soon as the launcher tells them, all in the same order", outcome.Unit.Span(spread)))
	}
	for _, f := range res.Unscheduled {
		outcome.Notes = append(outcome.Notes, fmt.Sprintf("rank %d: its process was killed or stopped by somebody else, or has ended; what it had sent until then is not counted", f.Rank))
	}
	return outcome, nil
}

// remedy is what may keep deadlines from being missed.
func remedy(paced bool) string {
	if paced {
		return "a longer tick"
	}
	return "a longer tick, or a larger L and o,"
}
