// Package report has what a run leaves behind, whichever machine it ran on: who was reached and
// when, who failed, who waits for ever and why, and, where they were recorded, the events.
//
// Machines fill in a [Report] and nothing here runs anything. Ways to look at one are in the
// packages below: [github.com/mangrove-emu/mangrove/report/timeline] draws a small one as text,
// [github.com/mangrove-emu/mangrove/report/view] makes a page of it,
// [github.com/mangrove-emu/mangrove/report/traceevent] a timeline for Perfetto, and
// [github.com/mangrove-emu/mangrove/report/figure] draws what many of them have in common.
//
// # Words
//
// A rank is coloured when it has received its first message. A rank fails when it crashes or
// hangs; one that waits for ever has not failed, it is deadlocked. Times are ticks of the virtual
// clock, or what corresponds to them on real processes; [clock.Never] stands for what did not happen.
package report
