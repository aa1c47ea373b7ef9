package emu

import "github.com/mangrove-emu/mangrove/report"

// tally is the sum over some ranks. It is taken in one pass and by all workers, because
// at a million ranks every pass counts.
type tally struct {
	report.Tally
	messages int64
	waiting  []int32 // ranks that are deadlocked
}

// tally adds up the results of all ranks and returns those that still wait.
func (m *Machine) tally(rep *report.Report) (waiting []int32) {
	parts := make([]tally, len(m.workers))
	m.share(func(worker, lo, hi int) {
		for i := lo; i < hi; i++ {
			parts[worker].add(&m.ranks[i], &m.results[i])
		}
	})
	for i := range parts {
		t := &parts[i]
		rep.Include(&t.Tally)
		rep.Messages += t.messages
		waiting = append(waiting, t.waiting...)
	}
	if m.tracing && m.block.First == 0 {
		rep.Hash = report.Hash(mix(uint64(m.cfg.Ranks), 0)) // not 0 even if nothing happens
	}
	for _, h := range m.hashes {
		rep.Hash += report.Hash(h)
	}
	return waiting
}

// add counts one rank.
func (t *tally) add(r *rank, res *report.RankResult) {
	t.messages += int64(r.sends)
	switch r.state {
	case crashed:
		res.Outcome = report.Crashed
	case hung:
		res.Outcome = report.Hung
	case finished: // which is what results say unless told otherwise
	default:
		res.Outcome = report.Deadlocked
		t.waiting = append(t.waiting, r.id)
	}
	t.Add(int(r.id), res)
}
