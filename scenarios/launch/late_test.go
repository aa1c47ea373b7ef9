package launch_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// No machine sends messages between processes within a microsecond.
func TestProcessesThatCannotKeepUpWithTheModelAreLate(t *testing.T) {
	for _, pace := range tcp.Paces() {
		outcome := launched(t, "multitree P=4 tick=250ns", launch.Options{Pace: pace}, func(*scenarios.Outcome) error { return nil })
		if pace == tcp.Free {
			assert.Zero(t, outcome.Late, "nothing is expected of them")
		} else {
			assert.Positive(t, outcome.Late, pace)
		}
	}
}

// If ticks are too short, here they end before messages come, nothing can be judged.
func TestMissedDeadlinesAreTooLateToJudge(t *testing.T) {
	for pace, remedy := range map[tcp.Pace]string{tcp.Sends: "a longer tick", tcp.Free: "a longer tick, or a larger L and o,"} {
		outcome := launched(t, "reduce P=8 tick=250ns", launch.Options{Pace: pace}, func(*scenarios.Outcome) error { return nil })
		require.Equal(t, guarantee.TooLate, outcome.Verdict(), pace)
		require.Empty(t, guarantee.OnlyBroken(outcome.Guarantees))
		require.Len(t, outcome.Notes, 1)
		assert.Positive(t, outcome.Late)
		assert.Regexp(t, `^processes were up to \d+ ticks \(.*\) behind the model, so deadlines may have been missed; `+remedy+` may help$`, outcome.Notes[0])
	}
}
