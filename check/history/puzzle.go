package history

// Puzzle is operations that have to be put into an order in which the model explains what came out of each: all that have returned, and such of the pending
// ones as are needed.
type Puzzle[State comparable, In, Out any] struct {
	// Operations are in the order in which they began.
	Operations []Operation[In, Out]
	// Parts says for each operation which part of the object it is about, by number: a state is that of one part.
	Parts []int

	model *Model[State, In, Out]
	left  int // how often Step may still be asked
}

// Init is the state in which every part begins.
func (p *Puzzle[State, In, Out]) Init() State { return p.model.Init }

// Step asks the model whether an operation, by its number, fits in this state of its part, and for the next state. When it has been asked too often it says
// no to everything, so that a search ends.
func (p *Puzzle[State, In, Out]) Step(state State, operation int) (next State, ok bool) {
	if p.left == 0 {
		return state, false
	}
	p.left--
	o := &p.Operations[operation]
	return p.model.Step(state, o.In, o.output())
}

// Spend counts work of a search other than Step, as if that had been asked so many times: what takes long has to count for it to end.
func (p *Puzzle[State, In, Out]) Spend(steps int) { p.left = max(0, p.left-steps) }

// GaveUp reports whether Step has been asked too often.
func (p *Puzzle[State, In, Out]) GaveUp() bool { return p.left == 0 }
