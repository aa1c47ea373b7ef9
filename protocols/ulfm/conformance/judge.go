package conformance

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
)

// Trial is a case that is run again and again.
type Trial struct {
	c     *Case
	notes [][]note // of each rank
	diary *ulfm.Diary
}

// NewTrial returns one.
func NewTrial(c *Case) *Trial {
	return &Trial{c: c, notes: make([][]note, c.Ranks), diary: ulfm.NewDiary(c.Ranks)}
}

// Program is what the ranks do.
func (t *Trial) Program() protocols.Program {
	return t.diary.Program(func(world *ulfm.Comm) {
		me := world.Proc().Rank()
		t.c.Run(&Rank{World: world, me: me, notes: &t.notes[me]})
	})
}

// Forget is to be called before each run.
func (t *Trial) Forget() {
	clear(t.notes)
	t.diary.Reset()
}

// Waiting says in which call a rank waits for ever.
func (t *Trial) Waiting(rank int) string { return t.diary.Waiting(rank) }

// Judge says what is wrong with what ranks have noted in a run that has ended. Events of the run are
// needed if ranks were started anew.
func (t *Trial) Judge(rep *report.Report) error {
	h := newHistory(t.c, rep)
	var wrong []string
	first := make(map[string]note)
	for rank := range t.notes {
		for _, n := range t.notes[rank] {
			if w := n.wrong(h); w != "" {
				wrong = append(wrong, fmt.Sprintf("rank %d at t=%d, %s: %s", rank, n.at, n.what, w))
			}
			if n.same == nil || rep.Ranks[rank].Outcome.Failed() {
				continue
			}
			if before, there := first[n.what]; !there {
				first[n.what] = n
			} else if !reflect.DeepEqual(before.same, n.same) {
				wrong = append(wrong, fmt.Sprintf("%s: %v on rank %d, %v on rank %d", n.what, before.same, before.rank, n.same, rank))
			}
		}
	}
	if wrong != nil {
		return fmt.Errorf("conformance: %s", strings.Join(wrong, "; "))
	}
	return nil
}

// history is who has failed when.
type history struct {
	absent [][]span     // of each rank, in their order
	own    map[int]bool // who has failed as in the case itself
}

// span is how long a rank was absent: from its failure until it was started anew.
type span struct{ from, to clock.Time }

func newHistory(c *Case, rep *report.Report) *history {
	h := &history{absent: make([][]span, len(rep.Ranks)), own: c.victims()}
	for _, f := range rep.Unfired { // they have failed otherwise, if they have
		delete(h.own, f.Rank)
	}
	for _, e := range rep.Events {
		all := h.absent[e.Rank]
		switch e.Kind {
		case report.EventCrash, report.EventHang:
			h.absent[e.Rank] = append(all, span{e.Time, clock.Never})
		case report.EventRejoin:
			all[len(all)-1].to = e.Time
		}
	}
	for _, f := range rep.Failed {
		if h.absent[f.Rank] == nil { // events were not recorded
			h.absent[f.Rank] = []span{{f.Time, clock.Never}}
		}
	}
	return h
}

// everFailed reports whether a rank has failed by then, in whichever of its lives.
func (h *history) everFailed(rank int, at clock.Time) bool {
	return len(h.absent[rank]) > 0 && h.absent[rank][0].from <= at
}

// down reports whether a rank has failed by then and was not started anew.
func (h *history) down(rank int, at clock.Time) bool {
	return slices.ContainsFunc(h.absent[rank], func(s span) bool { return s.from <= at && at < s.to })
}

// more reports whether anybody else has failed by then than in the case as it is.
func (h *history) more(at clock.Time) bool {
	for rank, all := range h.absent {
		if h.everFailed(rank, at) && !h.own[rank] || len(all) > 1 && all[1].from <= at {
			return true
		}
	}
	return false
}

// victims are the ranks that fail in the case as it is.
func (c *Case) victims() map[int]bool {
	all := make(map[int]bool)
	for _, f := range faults.MustParse(c.Faults) {
		if f.Kind.Stops() {
			all[f.Rank] = true
		}
	}
	return all
}

// onlyOwn requires a list that has these failures, and of others only those of ranks that have failed.
func onlyOwn(got []int, want ...int) func(h *history, at clock.Time) string {
	return func(h *history, at clock.Time) string {
		for _, rank := range want {
			if !slices.Contains(got, rank) {
				return fmt.Sprintf("%v, without %d", got, rank)
			}
		}
		for _, rank := range got {
			if !slices.Contains(want, rank) && (!h.everFailed(rank, at) || !h.more(at)) {
				return fmt.Sprintf("%v, with %d", got, rank)
			}
		}
		return ""
	}
}

// revokedUnless requires ErrRevoked; ErrProcFailed will do if a member has failed.
func revokedUnless(c *ulfm.Comm, err error) func(h *history, at clock.Time) string {
	members := c.Members()
	return func(h *history, at clock.Time) string {
		down := slices.ContainsFunc(members, func(m int) bool { return h.down(m, at) })
		if got := classOf(err); got == revoked || down && got == failed {
			return ""
		}
		return fmt.Sprintf("%v, want that it is revoked", err)
	}
}

// flagsUnless requires what an agreement has come to, as long as nobody has failed whose vote counts.
func flagsUnless(got, want int64) func(h *history, at clock.Time) string {
	return func(h *history, at clock.Time) string {
		if h.more(at) {
			return ""
		}
		return differs(got, want)
	}
}
