package ulfm

import "slices"

// knowledge is what a rank knows of failures: those that its failure detector has told it, and
// those that others have told it before its detector did. The detector remembers its own.
type knowledge struct {
	told     []toldFailure // by others
	watched  []int32       // ranks whose failure will be noticed, ascending
	asked    int32         // how many of the detector's failures the rank has heard of
	watching int32         // the next failure of the detector's list will be noticed if it is this one, from 1
	reacted  cursor        // up to here failures have had consequences
	excluded bool          // others take this rank for failed
	noting   bool          // it is asked what it was in the middle of when the run is over
}

// toldFailure is one that others have told, and how many the detector had told before.
type toldFailure struct {
	process
	after int32
}

// cursor is a place in the list of failures that a rank knows of, in the order in which they
// became known to it.
type cursor struct{ known, told int32 }

// ask learns of all failures that the detector knows.
func (r *rank) ask() {
	for {
		failed, ok := r.detector.Known(int(r.asked))
		if !ok {
			return
		}
		r.asked++
		if failed == r.Rank() && r.failures(failed) > r.Life() { // so the detector is wrong
			r.excluded = true
		}
	}
}

// failures is how often a rank of the machine is known to have failed.
func (r *rank) failures(machineRank int) int {
	if r.asked == 0 {
		return 0
	}
	return r.detector.Failures(machineRank, int(r.asked))
}

// hasFailed reports whether a process is known to have failed.
func (r *rank) hasFailed(p process) bool {
	return r.failures(p.rank) > p.life || r.wasTold(p, len(r.told))
}

// wasTold reports whether a failure is among the first that others have told.
func (r *rank) wasTold(p process, first int) bool {
	return slices.ContainsFunc(r.told[:first], func(t toldFailure) bool { return t.process == p })
}

// hear takes note of a failure that others know of.
func (r *rank) hear(p process) {
	if p.rank == r.Rank() {
		r.excluded = r.excluded || p.life == r.Life()
		return
	}
	if !r.hasFailed(p) {
		r.told = append(r.told, toldFailure{p, r.asked})
	}
}

// next returns the failure at a place in the list and moves on; ok is false at its end.
func (r *rank) next(at *cursor) (p process, ok bool) {
	for {
		if int(at.told) < len(r.told) && r.told[at.told].after <= at.known {
			at.told++
			return r.told[at.told-1].process, true
		}
		if at.known == r.asked {
			return process{}, false
		}
		p = r.detected(int(at.known))
		at.known++
		if p.rank != r.Rank() && !r.wasTold(p, int(at.told)) {
			return p, true
		}
	}
}

// detected is the n-th failure of the detector's list.
func (r *rank) detected(n int) process {
	failed, _ := r.detector.Known(n)
	return process{failed, r.detector.Failures(failed, n)}
}

// react does what follows from failures that have become known, and reports whether there were any.
func (r *rank) react() (any bool) {
	for {
		p, ok := r.next(&r.reacted)
		if !ok {
			return any
		}
		any = true
		for i := 0; i < len(r.comms); i++ {
			c := r.comms[i]
			if member, ok := c.group.memberOf(p); ok {
				c.memberFailed(member)
			}
		}
	}
}

// watch makes sure that the failure of a rank of the machine will be noticed.
func (r *rank) watch(machineRank int) {
	i, found := slices.BinarySearch(r.watched, int32(machineRank))
	if found {
		return
	}
	r.watched = slices.Insert(r.watched, i, int32(machineRank))
	r.detector.Watch(machineRank)
}

// watchAll makes sure that the next failure of any rank will be noticed.
func (r *rank) watchAll() {
	if r.watching == r.asked+1 {
		return
	}
	r.watching = r.asked + 1
	r.detector.WatchNext(int(r.asked))
}

// noticed is called when the detector tells of a failure that was watched for. The rank then asks
// for all that is known, and so hears of it.
func (r *rank) noticed(machineRank int) {
	if i, found := slices.BinarySearch(r.watched, int32(machineRank)); found {
		r.watched = slices.Delete(r.watched, i, i+1)
	}
	r.ask()
}
