package tpch

import (
	"fmt"
	"slices"
	"strings"
)

// Segment is the market segment of a customer: its place among segmentNames.
type Segment uint8

// segmentNames are in the order of the specification (TPC-H, section 4.2.2.13).
var segmentNames = []string{"AUTOMOBILE", "BUILDING", "FURNITURE", "MACHINERY", "HOUSEHOLD"}

const building Segment = 1

// SegmentNames lists all segments.
func SegmentNames() []string { return slices.Clone(segmentNames) }

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
