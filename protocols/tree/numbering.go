package tree

import "fmt"

// Numbering says which rank stands where in the shape of a tree.
type Numbering int

const (
	// Interleaved spreads every subtree over the ring, so that a failed rank leaves many
	// small gaps (Corrected Trees, section 3.2). The package comment has the definition.
	Interleaved Numbering = iota
	// InOrder numbers depth first: a subtree is a range of neighbours, and a failed rank
	// leaves one large gap. A rank sends to its largest subtree first.
	InOrder
)

// Numberings lists them all.
func Numberings() []Numbering { return []Numbering{Interleaved, InOrder} }

// String is the name in a run line.
func (n Numbering) String() string {
	switch n {
	case Interleaved:
		return "interleaved"
	case InOrder:
		return "in-order"
	}
	return fmt.Sprintf("Numbering(%d)", int(n))
}
