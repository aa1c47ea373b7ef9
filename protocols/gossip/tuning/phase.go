package tuning

import "github.com/mangrove-emu/mangrove/clock"

// correctionStart is when the last gossip message has arrived. Begun at T-o, it takes 2o+L.
func correctionStart(machine clock.LogP, end clock.Time) clock.Time {
	return end + machine.Latency + machine.Overhead
}

// phase is the time from the first of so many messages of one rank, sent without pause, to
// the delivery of the last. With g <= o this is L + (messages+1)o, and L+o for none, as in
// equations 3 and 4.
func phase(machine clock.LogP, messages int) clock.Time {
	spacing := machine.Costs().Spacing
	if messages == 0 {
		return max(0, machine.Delivery()-spacing)
	}
	return spacing.Times(messages-1) + machine.Delivery()
}

// spanMessages is how many messages a g-node in the middle of a span of 2f+3 g-nodes, of so
// many ranks, has time for until failure-proof correction ends there.
//
// The paper derives 4G o + L - 13o for f = 1. This is its argument for any f; to have sent
// to distance d on one side, in turn with the other side and starting anew once, takes up to
// 4d messages.
//
// To learn of the f+1 g-nodes on one side (tasks 1 and 2), one waits for the farthest. It
// sends its message to us as its 4d-2nd at the latest, where d is at most G-f-2, since the
// f+1 distances on the other side are at least 1 each.
//
// To send final messages to the f+1 g-nodes on one side (tasks 3 and 4), one first learns of
// the f-th on the other side, whose message is the 4d-2nd at the latest, and then sends 2e
// further ones to the (f+1)-th on this side. Here d+e is at most G-2, and d at most G-f-3.
//
// For f = 1 both give the same.
func spanMessages(span, onlineFailures int) int {
	learn := 4*(span-onlineFailures-2) - 2
	inform := 2*(span-2) + 2*(span-onlineFailures-3) - 2
	return max(learn, inform)
}
