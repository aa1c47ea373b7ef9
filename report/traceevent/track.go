package traceevent

import (
	"cmp"
	"strconv"

	"github.com/mangrove-emu/mangrove/clock"
)

// Threads are numbered from 1, since viewers take thread 0 for the idle one.

// sends is the thread of a rank's program and send port.
func sends(rank int) int { return 2*rank + 1 }

// receives is the thread of a rank's receive port.
func receives(rank int) int { return 2*rank + 2 }

// tracks names the threads of all ranks, and orders them by rank.
func (t *tracer) tracks() {
	t.out.number("\n"+`{"ph":"M","pid":`, int64(t.out.process+1))
	t.out.quote(metadata+`"process_name","args":{"name":`, cmp.Or(t.Name, "ranks"))
	t.out.text("}}")
	for rank := range t.Report.Ranks {
		name := "rank " + strconv.Itoa(rank)
		t.out.thread(sends(rank), sends(rank), name)
		t.out.thread(receives(rank), receives(rank), name+" receives")
	}
}

// lanes are the threads for receives of ranks that receive many messages at the same time.
type lanes struct {
	of   map[int][]lane
	next int // the number of the next thread
}

type lane struct {
	thread int
	end    clock.Time // of the last slice on it
}

// lane returns a thread that has room for a receive. Receives come in the order in which they
// end, so there is room if the last one on the thread ended before this one starts.
func (t *tracer) lane(rank int, start, end clock.Time) (thread int) {
	if !t.Report.LogP.ManyReceives {
		return receives(rank)
	}
	mine := t.lanes.of[rank]
	for i := range mine {
		if mine[i].end <= start {
			mine[i].end = end
			return mine[i].thread
		}
	}
	thread = receives(rank)
	if len(mine) > 0 {
		thread = t.lanes.next
		t.lanes.next++
		t.out.thread(thread, receives(rank), "rank "+strconv.Itoa(rank)+" receives, "+strconv.Itoa(len(mine)+1))
	}
	t.lanes.of[rank] = append(mine, lane{thread, end})
	return thread
}
