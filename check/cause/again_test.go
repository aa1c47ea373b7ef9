package cause_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Messages that are the same in all that events say are told apart by when they come, if one of them comes again.
func TestACopyIsToldFromMessagesThatAreTheSame(t *testing.T) {
	x := keeper(false)
	for schedule, want := range map[string]string{
		"twice:0@send1+3": `rank 1 got message result from rank 0 at t=18; it would have gone on without a message at t=39
rank 0 sent it once, at t=5, and it came again at t=12 (twice:0@send1+3)`,
		"twice:0>*@t4..t8+9": `rank 1 got message result from rank 0 at t=19, not at t=27
message result from rank 0 came at t=19, not at t=18: send 1 on that link came again before it (twice:0>*@t4..t8+9)`,
	} {
		found := because(t, x, schedule)
		if schedule == "twice:0@send1+3" {
			found = because(t, x, schedule+",crash:0@t15,rejoin:0@t22")
		}
		require.Equal(t, want, found, schedule)
	}
}

// stream is messages from rank 0 that are all the same, at these instants; rank 1 is to have so many by t=100, the last of them by an instant.
func stream(last int, at ...int) tried {
	return wanted(2, 1, "in time", func(p protocols.Proc, results []string) {
		if p.Rank() == 0 {
			for _, t := range at {
				p.WaitUntil(clock.Time(t))
				send(p, 1, token, 0, "")
			}
			return
		}
		for range at {
			if _, _, ok := p.RecvUntil(mailbox.Any, 100); !ok {
				results[1] = "too few"
				return
			}
		}
		if results[1] = "in time"; p.Now() > clock.Time(last) {
			results[1] = fmt.Sprint("at ", p.Now())
		}
	})
}

func TestMessagesThatAreTheSameComeInOrder(t *testing.T) {
	require.Equal(t, `message token from rank 0 came at t=44, not at t=4: it was late (late:0@send1+40)`,
		because(t, stream(40, 0, 10, 20), "late:0@send1+40"), "the others wait behind the first")
	require.Equal(t, `message token from rank 0 came at t=61, not at t=24: it was late (late:0@send3+37)`,
		because(t, stream(40, 0, 10, 20), "twice:0@send1+70,late:0@send3+37"), "a copy that comes after all of them is none of them")
}

// Who took a copy, which there is in both runs, lacked the message itself.
func TestACopyThatIsTakenInsteadIsNotToBlame(t *testing.T) {
	for _, copied := range []string{"twice:0@send1+5", "twice:0@send2+5"} {
		require.Equal(t, "message token from rank 0 came at t=54, not at t=46: it was late (late:0@send3+30)",
			because(t, stream(48, 0, 10, 20, 30), "late:0@send1+40,"+copied+",late:0@send3+30"))
	}
}

// A copy that is taken before its time makes what comes after it earlier.
func TestACopyMakesItEarlier(t *testing.T) {
	x := wanted(2, 1, "at 14", func(p protocols.Proc, results []string) {
		if p.Rank() == 0 {
			send(p, 1, token, 0, "")
			p.WaitUntil(10)
			send(p, 1, token, 0, "")
			return
		}
		p.Recv(mailbox.Any)
		p.Recv(mailbox.Any)
		results[1] = fmt.Sprint("at ", p.Now())
	})
	require.Equal(t, "rank 0 sent it once, at t=0, and it came again at t=7 (twice:0@send1+3)", because(t, x, "twice:0@send1+3"))
}

// Where only that a rank came back matters, the story ends with that.
func TestComingBackIsWhatMatters(t *testing.T) {
	require.Equal(t, `rank 2 crashed at t=25 (crash:2@t25)
rank 2 began again at t=41 (rejoin:2@t41)`, because(t, poll(5), "crash:2@t25,crash:2@t30,rejoin:2@t41"))
}

// A message that came a tick later as the port of its receiver was busy with one of another rank did not wait behind what its sender had sent before.
func TestAMessageMayWaitForThoseOfOthers(t *testing.T) {
	x := wanted(3, 1, "at 14", func(p protocols.Proc, results []string) {
		switch p.Rank() {
		case 0:
			send(p, 1, vote, 0, "")
		case 1:
			p.WaitUntil(6)
			p.Recv(mailbox.From(2))
			p.Recv(mailbox.From(2))
			results[1] = fmt.Sprint("at ", p.Now())
		case 2:
			send(p, 1, token, 0, "")
			p.WaitUntil(10)
			send(p, 1, token, 0, "")
		}
	})
	require.Equal(t, "message token from rank 2 came at t=15, not at t=14: other messages came before it\nthe two runs part where late:0@send1+10 strikes", because(t, x, "late:0@send1+10"))
}
