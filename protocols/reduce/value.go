package reduce

// Value is what a rank contributes, and what becomes of it on the way: a number, and bytes
// if that is not enough.
type Value struct {
	A       int64
	Payload string
}

// Operation combines the values of two neighbouring ranges of ranks, the left one being of
// the lower ranks. It must be associative; it need not be commutative. It is called on many
// ranks at once and must not depend on anything but its arguments.
type Operation func(left, right Value) Value

// Sum adds numbers and ignores bytes.
func Sum(left, right Value) Value { return Value{A: left.A + right.A} }

// part is the value of a range of ranks, named after the rank that sent it.
type part struct {
	from  int
	value Value
}

// fold makes parts, of which there is at least one and which are in the order of their ranks, one value.
func (combine Operation) fold(parts []part) Value {
	result := parts[0].value
	for _, next := range parts[1:] {
		result = combine(result, next.value)
	}
	return result
}
