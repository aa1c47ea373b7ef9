package emutest_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// Mistakes that textbooks warn of, as somebody writes them who has read only the guide. Each is found with the usual settings, and the same program without
// the mistake passes.

const (
	request mailbox.Kind = iota // be my voter in term A
	vote
	lead
)

// onDisk is what a rank of Raft still knows when it comes back.
type onDisk struct{ term, vote int64 }

// voter is a rank of Raft's election.
type voter struct {
	protocols.Proc
	disk    *onDisk
	now     onDisk
	votes   int
	leads   bool
	timeout clock.Time
}

func (v *voter) patience() clock.Time { return v.Now() + 20 + clock.Time(v.Rand().IntN(20)) }

func (v *voter) tellAll(kind mailbox.Kind) {
	for rank := range v.Size() {
		if rank != v.Rank() {
			v.Send(rank, mailbox.Message{Kind: kind, A: v.now.term})
		}
	}
}

// timedOut has a leader say that it lives, and others stand for the next term.
func (v *voter) timedOut() {
	if v.leads {
		v.tellAll(lead)
		v.timeout = v.Now() + 10
		return
	}
	v.now = onDisk{v.now.term + 1, int64(v.Rank() + 1)}
	*v.disk, v.votes = v.now, 1
	v.tellAll(request)
	v.timeout = v.patience()
}

// got reports whether the rank has become a leader by a message.
func (v *voter) got(from int, m mailbox.Message) bool {
	if m.A > v.now.term {
		v.now, v.leads, v.votes = onDisk{term: m.A}, false, 0
		*v.disk = v.now
	}
	candidate := int64(from + 1)
	switch {
	case m.A < v.now.term:
	case m.Kind == request && (v.now.vote == 0 || v.now.vote == candidate):
		v.now.vote = candidate
		*v.disk = v.now
		v.Send(from, mailbox.Message{Kind: vote, A: v.now.term})
		v.timeout = v.patience()
	case m.Kind == lead:
		v.timeout = v.patience()
	case m.Kind == vote && !v.leads:
		v.votes++
		v.leads = v.votes > v.Size()/2
		return v.leads
	}
	return false
}

// raft elects leaders for a while. If votes are not persistent, a rank that comes back has the term that it had, and may vote in it again.
func raft(persistent bool) func() emutest.Instance {
	const ranks, end = 3, clock.Time(60)
	return func() emutest.Instance {
		disks, terms := make([]onDisk, ranks), make([][]int64, ranks)
		return emutest.Instance{
			Prepare: func() { clear(disks); clear(terms) },
			Program: protocols.Program{Main: func(p protocols.Proc) {
				v := voter{Proc: p, disk: &disks[p.Rank()], now: disks[p.Rank()]}
				if !persistent {
					v.now.vote = 0
				}
				v.timeout = v.patience()
				for p.Now() < end {
					from, m, ok := p.RecvUntil(mailbox.Any, min(v.timeout, end))
					switch {
					case ok && v.got(from, m):
						terms[p.Rank()] = append(terms[p.Rank()], m.A)
						v.timeout = p.Now()
					case !ok && p.Now() < end:
						v.timedOut()
					}
				}
			}},
			Check: func(*report.Report) error {
				for a := range terms {
					for b := range a {
						for _, term := range terms[a] {
							if slices.Contains(terms[b], term) {
								return fmt.Errorf("ranks %d and %d lead term %d", b, a, term)
							}
						}
					}
				}
				return nil
			},
		}
	}
}

// It takes two candidates at the same time, which is up to the seed, and a voter that fails and is back between their requests.
func TestAVoteThatIsForgottenIsFound(t *testing.T) {
	test := emutest.Test{Machine: machine(3), New: raft(false), Faults: 2, Random: 1000, Rejoins: []clock.Time{20, 50}}
	result, err := emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.Len(t, result.Violations, 1)
	v := result.Violations[0]
	require.Len(t, v.Schedule, 2, "%v", v.Schedule)
	require.NotZero(t, v.Seed)
	replayOnly(t, v.Schedule.String())
	test.Seed = v.Seed
	require.Contains(t, run(t, test).all(), v.Broken[0].Why())
}

func TestAVoteThatIsRememberedIsNotInTheWay(t *testing.T) {
	test := emutest.Test{Machine: machine(3), New: raft(true), Faults: 2, Random: 1000, Rejoins: []clock.Time{20, 50}}
	f := run(t, test)
	require.False(t, f.failed(), f.all())
}

// lease has rank 0 give a lock to 1 and 2 for a while each, and both write to 3. A write that is late comes when the lock is another's; tokens are numbers of leases, by
// which 3 can tell.
func lease(tokens bool) func() emutest.Instance {
	return func() emutest.Instance {
		var written []int64
		return emutest.Instance{
			Prepare: func() { written = nil },
			Program: protocols.Program{Main: func(p protocols.Proc) {
				switch p.Rank() {
				case 0:
					for token := int64(1); ; token++ {
						from, _ := protocols.Linger(p, mailbox.Any)
						p.Send(from, mailbox.Message{A: token})
						p.WaitUntil(p.Now() + 30)
					}
				case 1, 2:
					p.Send(0, mailbox.Message{})
					_, m := p.Recv(mailbox.From(0))
					p.Send(3, m)
				case 3:
					for {
						_, m := protocols.Linger(p, mailbox.Any)
						if !tokens || len(written) == 0 || m.A > written[len(written)-1] {
							written = append(written, m.A)
						}
					}
				}
			}},
			Check: func(*report.Report) error {
				if !slices.IsSorted(written) {
					return fmt.Errorf("written by holders %v of the lock", written)
				}
				return nil
			},
		}
	}
}

func TestAWriteAfterTheEndOfALeaseIsFound(t *testing.T) {
	test := emutest.Test{Machine: machine(4), New: lease(false), Faults: 1, Random: 1000}
	f := run(t, test)
	require.Len(t, f.errors, 1)
	require.Contains(t, f.errors[0], "written by holders [2 1] of the lock\nfaults: late:0@send1+32 (the smallest")
	test.New = lease(true)
	f = run(t, test)
	require.False(t, f.failed(), f.all())
}
