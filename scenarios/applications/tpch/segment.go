package tpch

import (
	"fmt"
	"slices"
	"strings"
)

// Segment is the market segment of a customer.
type Segment uint8

// All segments, in the order of the specification (TPC-H, section 4.2.2.13).
const (
	Automobile Segment = iota
	Building
	Furniture
	Machinery
	Household
)

var segmentNames = []string{"AUTOMOBILE", "BUILDING", "FURNITURE", "MACHINERY", "HOUSEHOLD"}

// Segments lists all segments.
func Segments() []Segment {
	return []Segment{Automobile, Building, Furniture, Machinery, Household}
}

// ParseSegment reads the name of a segment, in capitals or not.
func ParseSegment(text string) (Segment, error) {
	at := slices.IndexFunc(segmentNames, func(name string) bool { return strings.EqualFold(name, text) })
	if at < 0 {
		return 0, fmt.Errorf("tpch: segment %q, want one of %s", text, strings.Join(segmentNames, ", "))
	}
	return Segment(at), nil
}

// String is the name as the specification writes it.
func (s Segment) String() string {
	if int(s) < len(segmentNames) {
		return segmentNames[s]
	}
	return fmt.Sprintf("Segment(%d)", uint8(s))
}
