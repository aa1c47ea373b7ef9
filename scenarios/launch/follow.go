package launch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// Follow takes part in the runs of a [Leader] until that closes. Options are the leader's.
func Follow(ctx context.Context, group parts.Mail, registry scenarios.Registry, o JobOptions) error {
	o = o.led()
	mail := newLetters(group)
	for {
		text, err := mail.from(0)
		if err != nil || len(text) == 0 {
			return err
		}
		var what assignment
		if err := json.Unmarshal(text, &what); err != nil {
			return fmt.Errorf("launch: what process 0 says: %w", err)
		}
		if err := o.obey(ctx, mail, registry, what); err != nil {
			return err
		}
	}
}

// obey takes part in one run. What goes wrong with it is for the leader to know.
func (o JobOptions) obey(ctx context.Context, mail *letters, registry scenarios.Registry, what assignment) error {
	run, wrong := registry.ParseLine(what.Line)
	if err := reply(mail, cmp.Or(wrong, ctx.Err())); err != nil {
		return err
	}
	if text, err := mail.from(0); err != nil || string(text) != begin {
		return err
	}
	o.Group = few{mail, what.Processes}
	_, wrong = JoinJob(ctx, run, o)
	return reply(mail, wrong)
}

// reply tells the leader how something went.
func reply(mail *letters, wrong error) error {
	text, err := answerTo(wrong)
	return cmp.Or(err, mail.Send(0, text))
}

// answer is what a process has to say to the leader: nothing, or what went wrong.
type answer struct {
	Problem string
	Ended   bool // it was told to end
}

// answerTo is the answer of a process that has done something.
func answerTo(err error) ([]byte, error) {
	if err == nil {
		return nil, nil
	}
	return json.Marshal(answer{err.Error(), errors.Is(err, context.Canceled)})
}

// answerError reads an answer.
func answerError(process int, text []byte) error {
	if len(text) == 0 {
		return nil
	}
	var a answer
	if err := json.Unmarshal(text, &a); err != nil {
		return fmt.Errorf("launch: what process %d says: %w", process, err)
	}
	if a.Ended {
		return fmt.Errorf("process %d of the job was told to end: %w", process, context.Canceled)
	}
	return fmt.Errorf("process %d of the job: %s", process, a.Problem)
}
