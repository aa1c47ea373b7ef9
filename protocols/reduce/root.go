package reduce

import "github.com/mangrove-emu/mangrove/protocols"

// lead does the part of the root.
func (r *Reduce) lead(p protocols.Proc, own Value) (result Value, complete bool) {
	for subtree := range r.width {
		r.send(p, r.inCharge(r.root, subtree), Contribution, own)
	}
	p.Step(StepExchanged)
	result, complete = r.await(p)
	if !complete && r.ranks-1 <= r.redundancy {
		// Each member is a subtree of its own and would have reported, unless it failed.
		result, complete = own, true
	}
	p.Step(StepReduced)
	return result, complete
}

// await returns the first whole part that a subtree reports. It gives up at the deadline, or
// when all parts are broken.
func (r *Reduce) await(p protocols.Proc) (result Value, complete bool) {
	want := reports.UpTo(r.Epoch)
	for broken := 0; broken < r.width; {
		_, msg, ok := p.RecvUntil(want, r.Deadline())
		switch {
		case !ok:
			return Value{}, false
		case msg.Epoch != r.Epoch: // late
		case msg.Kind == Broken:
			broken++
		default:
			return Value{msg.A, msg.Payload}, true
		}
	}
	return Value{}, false
}
