package launch

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// Leader has the processes of a job run lines, one after the other. It is process 0, which alone knows what comes next; all others [Follow].
type Leader struct {
	options JobOptions
	letters *letters
}

// Lead makes process 0 of a group the leader. Options are those of all its runs but for the group.
func Lead(group parts.Mail, o JobOptions) *Leader {
	return &Leader{o.led(), newLetters(group)}
}

// led are the options of processes that go on when a run is over. None may crash: others wait for it later.
func (o JobOptions) led() JobOptions {
	o.Doomed = "there are runs to come that want the process"
	return o
}

// assignment is what others are told to run.
type assignment struct {
	Line      string
	Processes int // the first ones
}

// begin follows an assignment when all are able to do what it says. An empty letter in its place calls it off; in place of an assignment, it is the last.
const begin = "begin"

// Run runs a line, on as many processes as it has ranks: the first ones. The others sleep. If there are too few processes, all have several ranks.
func (l *Leader) Run(ctx context.Context, run *scenarios.Run) (*scenarios.Outcome, error) {
	what := assignment{run.Spelled(), min(run.Config().Ranks, l.letters.Count())}
	text, err := json.Marshal(what)
	if err != nil {
		return nil, err
	}
	if err := l.tell(what.Processes, text); err != nil {
		return nil, err
	}
	if err := cmp.Or(l.hear(what.Processes), ctx.Err()); err != nil {
		return nil, cmp.Or(l.tell(what.Processes, nil), err)
	}
	if err := l.tell(what.Processes, []byte(begin)); err != nil {
		return nil, err
	}
	o := l.options
	o.Group = few{l.letters, what.Processes}
	outcome, err := JoinJob(ctx, run, o)
	if theirs := l.hear(what.Processes); err == nil && theirs != nil {
		return nil, theirs
	}
	return outcome, err
}

// Close lets the others go.
func (l *Leader) Close() error { return l.tell(l.letters.Count(), nil) }

// tell sends a letter to the first processes.
func (l *Leader) tell(processes int, text []byte) error {
	for process := 1; process < processes; process++ {
		if err := l.letters.Send(process, text); err != nil {
			return err
		}
	}
	return nil
}

// hear waits until the first processes have answered, and returns what went wrong in the first of them in which something did.
func (l *Leader) hear(processes int) (first error) {
	for process := 1; process < processes; process++ {
		text, err := l.letters.from(process)
		if err != nil {
			return err
		}
		first = cmp.Or(first, answerError(process, text))
	}
	return first
}
