package search

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// store adds the points of an operation of storage. A change that is under way is one that is not safe.
func (l *life) store(rep *report.Report, event int) {
	switch e := &rep.Events[event]; e.Kind {
	case report.EventWrite, report.EventDelete, report.EventWriteLost:
		took := storageTime(rep, event, rep.Disk.Write)
		l.begin(&l.write, e.Time, took, faults.BeforeWrite)
		l.unsafe = append(l.unsafe, e.Step)
		l.most = max(l.most, len(l.unsafe))
		l.half(&l.write, e.Time+took/2, faults.MidWrite)
		if e.Kind == report.EventWriteLost {
			l.write.lose()
			return
		}
		l.end(&l.write, e.Time+took, faults.AfterWrite)
	default:
		took := storageTime(rep, event, rep.Disk.Sync)
		l.begin(&l.sync, e.Time, took, faults.BeforeSync)
		if e.Kind == report.EventSyncLost {
			l.sync.lose()
			return
		}
		l.unsafe = nil
		l.end(&l.sync, e.Time+took, faults.AfterSync)
	}
}

// storageTime is how long an operation took, or would have taken, whose event is this one.
func storageTime(rep *report.Report, event int, normal clock.Time) clock.Time {
	e := &rep.Events[event]
	if e.Kind != report.EventWriteLost && e.Kind != report.EventSyncLost {
		return clock.Time(e.A)
	}
	if !rep.Faults.Has(faults.Slow) {
		return normal
	}
	return normal * clock.Time(slowness(rep, event))
}
