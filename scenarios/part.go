package scenarios

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/report"
)

// judge decides about a run that is over. Where several parts have run it, either all judge together, each by the results of its own ranks; or part 0
// judges with what the ranks of all have left, and tells the others what it comes to.
func (e *Executor) judge(r *Run, rep *report.Report) (*Outcome, error) {
	group := e.opts.Part
	switch {
	case group == nil || group.Count() == 1:
		return r.Judge(rep), nil
	case rep.Share != nil:
		return r.judgeApart(rep)
	}
	loaded := r.gather(group, rep)
	var outcome *Outcome
	if group.Index() == 0 && loaded == nil {
		outcome = r.Judge(rep)
	}
	return r.spread(group, outcome, loaded)
}

// apart reports whether results may stay in the parts that have them: if nobody looks at what single ranks have left but the root.
func (r *Run) apart() bool {
	_, sole := r.soleLeaver()
	return sole || r.experiment.State == nil
}

// soleLeaver is the only rank that leaves something behind, if that is so.
func (r *Run) soleLeaver() (rank int, ok bool) {
	state, ok := inner(r.experiment.State).(interface{ soleLeaver() (int, bool) })
	if !ok {
		return 0, false
	}
	return state.soleLeaver()
}

// judgeApart decides with all other parts about a run of which each has the results of its own ranks. What the root has left they all get.
func (r *Run) judgeApart(rep *report.Report) (*Outcome, error) {
	if root, ok := r.soleLeaver(); ok {
		if err := r.share(rep, root); err != nil {
			return nil, err
		}
	}
	outcome := r.Judge(rep)
	return outcome, rep.Share.Lost
}

// share gives all parts what the root has left.
func (r *Run) share(rep *report.Report, root int) error {
	var own struct {
		Left  []byte
		Error string
	}
	owner := parts.Owner(root, rep.Share.Parts.Count(), rep.Share.Size)
	if owner == rep.Share.Parts.Index() {
		left, err := r.Save(root)
		if own.Left = left; err != nil {
			own.Error = err.Error()
		}
	}
	said := report.FromAll(rep, own)[owner]
	switch {
	case rep.Share.Lost != nil:
		return rep.Share.Lost
	case said.Error != "":
		return errors.New(said.Error)
	case owner == rep.Share.Parts.Index():
		return nil
	}
	return r.Load(root, said.Left)
}

// judged is what all parts know of an outcome.
type judged struct {
	Hash       report.Hash
	Messages   int64
	Guarantees []guarantee.Verdict
	Completion Completion
	Error      string // there is no outcome
}

// spread tells all parts what part 0 has found. They all return the same error, if there is one.
func (r *Run) spread(group parts.Group, outcome *Outcome, err error) (*Outcome, error) {
	out := make([][]byte, group.Count())
	var own judged
	switch {
	case err != nil:
		own.Error = err.Error()
	case outcome != nil:
		own = judged{outcome.Report.Hash, outcome.Report.Messages, outcome.Guarantees, outcome.Completion, ""}
	}
	text, wrong := json.Marshal(own)
	for i := range out {
		out[i] = text
	}
	in, lost := group.Exchange(out)
	if err := errors.Join(err, wrong, lost); err != nil {
		return nil, err
	}
	var first judged
	for part, text := range in {
		var found judged
		if err := json.Unmarshal(text, &found); err != nil {
			return nil, fmt.Errorf("scenarios: what part %d has found: %w", part, err)
		}
		if found.Error != "" {
			return nil, errors.New(found.Error)
		}
		if part == 0 {
			first = found
		}
	}
	if outcome == nil {
		rep := &report.Report{Hash: first.Hash, Messages: first.Messages}
		outcome = &Outcome{Line: r.String(), Report: rep, Guarantees: first.Guarantees, Completion: first.Completion, Elsewhere: true}
	}
	return outcome, nil
}

// gather brings what ranks have left behind to part 0.
func (r *Run) gather(group parts.Group, rep *report.Report) error {
	if err := r.tellEnding(group, rep); err != nil {
		return err
	}
	out := make([][]byte, group.Count())
	var err error
	if group.Index() != 0 {
		out[0], err = r.saveAll(parts.BlockOf(group.Index(), group.Count(), r.config.Ranks))
	}
	in, lost := group.Exchange(out)
	if err := errors.Join(err, lost); err != nil {
		return err
	}
	if group.Index() != 0 {
		return nil
	}
	for part, batch := range in[1:] {
		if err := r.loadAll(parts.BlockOf(part+1, group.Count(), r.config.Ranks), batch); err != nil {
			return fmt.Errorf("scenarios: what part %d has left: %w", part+1, err)
		}
	}
	return nil
}

// tellEnding has part 0, which knows, tell all how the run has ended, if anybody wants to know.
func (r *Run) tellEnding(group parts.Group, rep *report.Report) error {
	state, ok := inner(r.experiment.State).(interface{ whenOver() func(Ending) })
	if !ok || state.whenOver() == nil {
		return nil
	}
	out := make([][]byte, group.Count())
	if group.Index() == 0 {
		ending := Ending{Waiting: len(rep.Deadlocks) > 0}
		for _, f := range rep.Failed {
			ending.Failed = append(ending.Failed, f.Rank)
		}
		text, err := json.Marshal(ending)
		if err != nil {
			return err
		}
		for i := range out {
			out[i] = text
		}
	}
	in, err := group.Exchange(out)
	if err != nil {
		return err
	}
	var ending Ending
	if err := json.Unmarshal(in[0], &ending); err != nil {
		return fmt.Errorf("scenarios: how part 0 says that the run has ended: %w", err)
	}
	state.whenOver()(ending)
	return nil
}

// blocks are states that many ranks can be saved of at once.
type blocks interface {
	saveBlock(first, count int) ([]byte, error)
	loadBlock(first, count int, data []byte) error
}

// saveAll is what the ranks of a block have left behind.
func (r *Run) saveAll(block parts.Block) (batch []byte, err error) {
	if r.experiment.State == nil {
		return nil, nil
	}
	if all, ok := inner(r.experiment.State).(blocks); ok {
		return all.saveBlock(block.First, block.Len)
	}
	for i := range block.Len {
		data, err := r.Save(block.First + i)
		if err != nil {
			return nil, err
		}
		batch = binary.AppendUvarint(batch, uint64(len(data)))
		batch = append(batch, data...)
	}
	return batch, nil
}

// loadAll puts back what saveAll has returned.
func (r *Run) loadAll(block parts.Block, batch []byte) error {
	if all, ok := inner(r.experiment.State).(blocks); ok {
		return all.loadBlock(block.First, block.Len, batch)
	}
	for i := 0; len(batch) > 0 && i < block.Len; i++ {
		length, size := binary.Uvarint(batch)
		if size <= 0 || length > uint64(len(batch)-size) {
			return fmt.Errorf("%d bytes of rank %d, of which %d are there", length, block.First+i, len(batch))
		}
		end := size + int(length)
		if err := r.Load(block.First+i, batch[size:end]); err != nil {
			return err
		}
		batch = batch[end:]
	}
	return nil
}
