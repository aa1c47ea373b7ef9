package search

import (
	"sync"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/report"
)

// diary is a judge that notes which schedules are run.
type diary struct {
	mu        sync.Mutex
	schedules []string
}

func (d *diary) judge(rep *report.Report) []guarantee.Verdict {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.schedules = append(d.schedules, rep.Faults.String())
	return nil
}

// withJudge makes trials of a subject with another judge.
func withJudge(s *Subject, judge func(*report.Report) []guarantee.Verdict) func() (Trial, error) {
	newTrial := s.NewTrial
	return func() (Trial, error) {
		trial, err := newTrial()
		trial.Judge = judge
		return trial, err
	}
}
