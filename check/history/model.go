package history

// Model is an object as it would be if its operations came one after the other: what a register, a queue or a store is. A state is a value that
// can be compared: what is a list or a map is written as a string or an array. The functions change nothing.
type Model[State comparable, In, Out any] struct {
	// Init is the state in which the object begins.
	Init State
	// Step says whether an operation that takes effect in this state may come to this result, and which state the object is in
	// then. Out is nil if nobody knows the result: say then what the operation does if it takes effect. If it can do nothing in this state,
	// it may.
	Step func(state State, in In, out *Out) (next State, ok bool)
	// Part says which part of the object an operation is about, such as the key of a store. Parts have nothing to do with each other, each
	// begins with Init, and each is judged alone, which takes a fraction of the time. Optional; every operation has the same part without it. It is for
	// linearizability only: parts that are sequentially consistent, each alone, may not be so together, so there all parts are judged as one.
	Part func(in In) string
	// Describe is an operation in words, such as "read x = 5"; out is nil if nobody knows the result. Optional; Go's own words without it.
	Describe func(in In, out *Out) string
	// Limit is how often Step may be asked about one part, before the checker gives up and claims nothing. 0: a million times. It is a
	// count and no time, so that a run that is repeated gets the same verdict.
	Limit int
}
