package cause_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Of several faults of a kind, the one that happened is named, wherever it stands in the schedule.

// twoSends are messages of rank 0 to rank 1, which waits for the second up to t=50.
func twoSends() tried {
	return wanted(3, 1, "second", func(p protocols.Proc, results []string) {
		switch p.Rank() {
		case 0:
			send(p, 1, token, 0, "")
			p.WaitUntil(20)
			send(p, 1, vote, 0, "")
			p.WaitUntil(60)
		case 1:
			if _, _, ok := p.RecvUntil(mailbox.OfKind(vote), 50); ok {
				results[1] = "second"
			}
		case 2:
			send(p, 0, result, 0, "")
			p.WaitUntil(60)
		}
	})
}

// eitherWay is the story of two faults, in both orders.
func eitherWay(t *testing.T, x tried, one, other string) string {
	t.Helper()
	story := because(t, x, one+","+other)
	require.Equal(t, story, because(t, x, other+","+one))
	return story
}

func TestTheMessageThatIsMissingHasTheFaultThatLostIt(t *testing.T) {
	const missing = "rank 1 went on at t=50 without message vote from rank 0, which would have come at t="
	x := twoSends()
	for name, c := range map[string]struct{ elsewhere, fault, want string }{
		"another message of the sender": {"lose:0@send1", "lose:0@send2", "24\nrank 0 sent it at t=20 as its send 2, and it was lost (lose:0@send2)"},
		"a message of another rank":     {"lose:2@send1", "lose:0@send2", "24\nrank 0 sent it at t=20 as its send 2, and it was lost (lose:0@send2)"},
		"a cut that has been mended":    {"cut:0|1@t0,mend:0|1@t9", "cut:0|1@t15", "24\nrank 0 sent it at t=20, and it was lost on the link, which was cut (cut:0|1@t15)"},
		"a cut of another link":         {"cut:0|2@t10", "cut:0|1@t15", "24\nrank 0 sent it at t=20, and it was lost on the link, which was cut (cut:0|1@t15)"},
		"another message that is late":  {"late:0@send1+30", "lose:0@send2", "35\nrank 0 sent it at t=20 as its send 2, and it was lost (lose:0@send2)"},
		"one that was late, and too late": {"late:0@send1+7", "late:0@send2+70",
			"24\nmessage vote from rank 0 came at t=94, not at t=24: it was late (late:0@send2+70)"},
		"one of two that make it late": {"late:0@send2+3", "late:0@send2+70", "27\nmessage vote from rank 0 came at t=97, not at t=27: it was late (late:0@send2+70)"},
	} {
		t.Run(name, func(t *testing.T) {
			story := eitherWay(t, x, c.elsewhere, c.fault)
			require.Equal(t, missing+c.want, story)
		})
	}
}

// Where only the run without any fault holds, all of them might be to blame.
func TestOfSeveralThatMightBeToBlameTheLastIs(t *testing.T) {
	x := twoSends()
	for schedule, fault := range map[string]string{
		"cut:0|1@t0,mend:0|1@t9,cut:0|1@t15,lose:0@send2": "cut:0|1@t15",
		"cut:0|1@t15,mend:0|1@t9,cut:0|1@t0,lose:0@send2": "cut:0|1@t15",
		"cut:0|1@t9,cut:0|1@t15,lose:0@send2":             "cut:0|1@t15",
		"cut:0|1@t15,cut:0|1@t9,lose:0@send2":             "cut:0|1@t15",
	} {
		require.Equal(t, `rank 1 went on at t=50 without message vote from rank 0, which would have come at t=24
rank 0 sent it at t=20, and it was lost on the link, which was cut (`+fault+")", because(t, x, schedule), schedule)
	}
}

// A cut that has been mended is to blame for what was lost before that only.
func TestAMendedCutIsToBlameForWhatItLost(t *testing.T) {
	x := wanted(3, 1, "ok", func(p protocols.Proc, results []string) {
		switch p.Rank() {
		case 0:
			p.RecvUntil(mailbox.Any, 20)
			send(p, 1, vote, 0, "")
		case 1:
			if _, _, ok := p.RecvUntil(mailbox.Any, 50); ok {
				results[1] = "ok"
			}
		case 2:
			send(p, 0, token, 0, "")
		}
	})
	require.Equal(t, `rank 1 went on at t=50 without message vote from rank 0, which would have come at t=8
rank 0 sent it at t=20, and it was lost on the link, which was cut (cut:0|1@t15); it would have been sent at t=4
it went on at t=20 without message token from rank 2, which would have come at t=4
rank 2 sent it at t=0, and it was lost on the link, which was cut (cut:0|*@t0)`, because(t, x, "cut:0|*@t0,mend:0|*@t9,cut:0|1@t15"))
}

// What happens at one instant happens in the order of the schedule.
func TestAMendBeforeACutDoesNotMendIt(t *testing.T) {
	require.Equal(t, `rank 1 went on at t=50 without message vote from rank 0, which would have come at t=24
rank 0 sent it at t=20, and it was lost on the link, which was cut (cut:0|1@t21)`, because(t, twoSends(), "cut:1|2@t0,mend:1|*@t21,cut:0|1@t21"))
}

func TestWhoFailedTwiceDidNotSendAfterTheSecondTime(t *testing.T) {
	x := wanted(2, 1, "second", func(p protocols.Proc, results []string) {
		if p.Rank() == 0 {
			if p.Life() == 0 {
				p.WaitUntil(90)
				return
			}
			p.WaitUntil(30)
			send(p, 1, vote, 0, "")
			return
		}
		if _, _, ok := p.RecvUntil(mailbox.OfKind(vote), 50); ok {
			results[1] = "second"
		}
	})
	require.Equal(t, `rank 1 went on at t=50 without message vote from rank 0, which would have come at t=34
rank 0 did not send message vote to rank 1: it crashed at t=25 (crash:0@t25)`, because(t, x, "crash:0@t5,rejoin:0@t10,crash:0@t25"))
}

func TestWhoIsSlowTwiceWasSlowByThen(t *testing.T) {
	x := twoSends()
	require.Equal(t, `rank 1 went on at t=50 without message vote from rank 0, which would have come at t=24
message vote from rank 0 came at t=123, not at t=24: it was sent at t=60, not at t=20
rank 0 sent message vote to rank 1 at t=60, not at t=20: it was slow (slow:0x60@t0)`, eitherWay(t, x, "slow:0x60@t0", "slow:2x9@t0"))
}

// Who is slow again is slow by the latest; of two that are slow, the one to blame is without whom it would hold.
func TestOfTwoThatAreSlowTheOneThatMattersIsNamed(t *testing.T) {
	x := twoSends()
	story := eitherWay(t, x, "slow:0x2@t0", "slow:0x60@t1")
	require.Contains(t, story, "rank 0 was slow (slow:0x60@t1)")
	require.NotContains(t, story, "the two runs part")

	x = wanted(2, 0, "in time", func(p protocols.Proc, results []string) {
		if p.Rank() == 1 {
			send(p, 0, vote, 0, "")
			return
		}
		if _, _, ok := p.RecvUntil(mailbox.Any, 11); ok {
			results[0] = "in time"
		}
	})
	for both, matters := range map[[2]string]string{
		{"slow:0x2@t0", "slow:1x12@t0"}: "rank 1 was slow (slow:1x12@t0)",
		{"slow:0x12@t0", "slow:1x2@t0"}: "rank 0 was slow (slow:0x12@t0)",
	} {
		story := eitherWay(t, x, both[0], both[1])
		require.Contains(t, story, matters)
		require.NotContains(t, story, "the two runs part")
	}
}

// A message that is late in any case, but left too late for that, is followed to why it left late.
func TestAMessageThatIsLateInAnyCaseIsFollowedFurther(t *testing.T) {
	require.Equal(t, `rank 2 went on at t=100 without message vote from rank 1, which would have come at t=8
message vote from rank 1 came at t=158, not at t=8: it was sent at t=14, not at t=4, and was late (late:1|2@t12+140)
message token from rank 0 came at t=14, not at t=4: it was late (late:0@send1+10)`, because(t, passedOn(), "late:0@send1+10,late:1|2@t12+140"))
}

// A message that is late, and whose sender is slow in both runs, came too late because it was late.
func TestWhoIsSlowInAnyCaseIsNotToBlame(t *testing.T) {
	require.Equal(t, `rank 2 went on at t=100 without message vote from rank 1, which would have come at t=9
rank 1 did not send message vote to rank 2: it crashed at t=20, without message token from rank 0, which would have come at t=5
rank 0 sent it at t=0, and it came at t=44, when rank 1 had failed: it was late (late:0@send1+40)`, because(t, passedOn(), "slow:0x2@t0,late:0@send1+40,crash:1@t20", faults.MustParse("slow:0x2@t0,crash:1@t20")...))
}
