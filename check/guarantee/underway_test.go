package guarantee_test

import (
	"fmt"
	"testing"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// Messages that look the same are under way at once. As many of them may arrive as were sent, and not one more.
func TestOfEqualMessagesNoMoreArriveThanWereSent(t *testing.T) {
	for sends := 1; sends <= 4; sends++ {
		for arrivals := 1; arrivals <= sends+1; arrivals++ {
			var events []report.Event
			for i := range sends {
				events = append(events, send(clock.Time(i), 1, 2, 0))
			}
			for i := range arrivals {
				events = append(events, receive(clock.Time(10+i), 2, 1, 0))
			}
			t.Run(fmt.Sprintf("%d sent, %d arrive", sends, arrivals), func(t *testing.T) {
				if arrivals <= sends {
					requireVerdict(t, traced(events...), guarantee.Integrity{}, held, fmt.Sprintf("all %d messages that arrived were sent before", arrivals))
					return
				}
				requireVerdict(t, traced(events...), guarantee.Integrity{}, broken,
					fmt.Sprintf("t=%d rank 2 receive from 1 kind=0 epoch=0 a=0: no such message was sent before, or all of them had arrived already", 9+arrivals))
			})
		}
	}
}

// What arrived before a message was sent again does not count for the new one, nor the other way round.
func TestEachArrivalUsesUpOneOfTheMessagesUnderWay(t *testing.T) {
	first := []report.Event{send(0, 1, 2, 0), send(1, 1, 2, 0), receive(5, 2, 1, 0), send(6, 1, 2, 0), receive(7, 2, 1, 0), receive(10, 2, 1, 0)}
	requireVerdict(t, traced(first...), guarantee.Integrity{}, held, "all 3 messages that arrived were sent before")
	requireVerdict(t, traced(append(first, receive(11, 2, 1, 0))...), guarantee.Integrity{}, broken,
		"t=11 rank 2 receive from 1 kind=0 epoch=0 a=0: no such message was sent before, or all of them had arrived already")
}
