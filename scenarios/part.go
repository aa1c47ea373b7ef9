package scenarios

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/report"
)

// ErrElsewhere is what an executor returns that is not part 0 of those which run a line together: that one has the outcome.
var ErrElsewhere = errors.New("scenarios: part 0 has the outcome")

// judge decides about a run that is over. Where several parts have run it, part 0 decides, and the others give it what their ranks have left.
func (e *Executor) judge(r *Run, rep *report.Report) (*Outcome, error) {
	group := e.opts.Part
	if group == nil || group.Count() == 1 {
		return r.Judge(rep), nil
	}
	if err := r.gather(group); err != nil {
		return nil, err
	}
	if group.Index() != 0 {
		return nil, ErrElsewhere
	}
	return r.Judge(rep), nil
}

// gather brings what ranks have left behind to part 0.
func (r *Run) gather(group parts.Group) error {
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

// saveAll is what the ranks of a block have left behind.
func (r *Run) saveAll(block parts.Block) (batch []byte, err error) {
	if r.experiment.State == nil {
		return nil, nil
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
