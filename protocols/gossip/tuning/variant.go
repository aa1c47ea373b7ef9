package tuning

import (
	"fmt"
	"slices"
)

// Variant is a way to correct what gossip leaves.
type Variant int

// The variants, by the paper's names gos, ocg, ccg and fcg.
const (
	Plain Variant = iota
	Opportunistic
	Checked
	FailureProof
)

var variantNames = []string{"gos", "ocg", "ccg", "fcg"}

// Variants lists all of them.
func Variants() []Variant { return []Variant{Plain, Opportunistic, Checked, FailureProof} }

// String is the paper's name.
func (v Variant) String() string {
	if v < 0 || int(v) >= len(variantNames) {
		return fmt.Sprintf("variant %d", int(v))
	}
	return variantNames[v]
}

// MarshalText lets JSON show the name.
func (v Variant) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// ParseVariant returns the variant with the paper's name.
func ParseVariant(name string) (Variant, error) {
	if i := slices.Index(variantNames, name); i >= 0 {
		return Variant(i), nil
	}
	return 0, fmt.Errorf("tuning: variant %q, want one of %v", name, variantNames)
}
