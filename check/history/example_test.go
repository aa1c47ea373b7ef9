package history_test

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/history"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Two ranks write to a register of which each has a copy. Each tells the other, but does not wait for it to hear: a rank reads what it has.
func Example() {
	type request struct { // writes a value, or reads if it has none
		value int
	}
	h := history.New[request, int](2)
	program := protocols.Program{Main: func(p protocols.Proc) {
		own, other := p.Rank()+1, 1-p.Rank()
		call := h.Invoke(p, request{own})
		p.Send(other, mailbox.Message{A: int64(own)})
		call.Return(p, 0)
		h.Invoke(p, request{}).Return(p, own)
		_, m := p.Recv(mailbox.From(other))
		h.Invoke(p, request{}).Return(p, int(m.A))
	}}

	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 2, Latency: 2, Overhead: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := machine.Run(context.Background(), program, emu.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	register := history.Model[int, request, int]{
		Step: func(state int, in request, out *int) (next int, ok bool) {
			if in.value != 0 {
				return in.value, true
			}
			return state, out == nil || *out == state
		},
		Describe: func(in request, out *int) string {
			if in.value != 0 {
				return fmt.Sprintf("write %d", in.value)
			}
			return fmt.Sprintf("read %d", *out)
		},
	}
	for _, verdict := range guarantee.Check(guarantee.Run{Report: report}, history.SequentiallyConsistent(h, register)) {
		fmt.Println(verdict)
		for _, m := range verdict.Marks {
			fmt.Println(m.Rank, m.From, m.To, m.Text, m.Guilty)
		}
	}
	// Output:
	// broken: sequentially consistent: rank 1: read 1 at t=4 fits nowhere beside rank 0: read 1 at t=1, rank 1: read 2 at t=1 and rank 0: read 2 at t=4
	// 0 1 1 read 1 false
	// 1 1 1 read 2 false
	// 0 4 4 read 2 false
	// 1 4 4 read 1 true
}
