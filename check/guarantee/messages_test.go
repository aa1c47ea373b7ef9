package guarantee_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// In tell, rank 0 sends to 1, 2 and so on; nobody else sends anything.
func TestPremisesAboutMessages(t *testing.T) {
	for _, c := range []struct {
		schedule                string
		links, lost, late, once string // why they are not met
	}{
		{schedule: "none"},
		{schedule: "crash:3,slow:2x4"},
		{schedule: "late:0@send2+20", late: "late:0@send2+20"},
		{schedule: "late:0@send6+20,late:0@send3+1", late: "late:0@send3+1"}, // there are five sends
		{schedule: "late:0>3@t0+4", late: "late:0>3@t0+4"},
		{schedule: "lose:0@send2", lost: "lose:0@send2"},
		{schedule: "lose:3@send1"},
		{schedule: "twice:0@send2+20", once: "twice:0@send2+20"},
		{schedule: "twice:0@send6+20"},
		{schedule: "cut:0>3@t2", links: "cut:0>3@t2"},
		{schedule: "cut:3|*@t2,mend:3|*@t3", links: "cut:3|*@t2"},
		{schedule: "mend:3|*@t3"},
		{schedule: "cut:0>3@t1000,late:0>3@t1000+9,lose:0>3@t1000,twice:0>3@t1000+9"},
		{schedule: "late:0@send1+3,lose:0@send2,twice:0@send3+1,cut:0|5", links: "cut:0|5@t0", lost: "lose:0@send2", late: "late:0@send1+3", once: "twice:0@send3+1"},
	} {
		t.Run(c.schedule, func(t *testing.T) {
			r := run(t, 6, tell, c.schedule)
			require.Equal(t, c.links, guarantee.LinksHold.Unmet(r))
			require.Equal(t, c.lost, guarantee.NothingLost.Unmet(r))
			require.Equal(t, c.links+c.lost != "", guarantee.EveryMessageArrives.Unmet(r) != "")
			require.Equal(t, c.links+c.lost != "", guarantee.Undisturbed.Unmet(r) != "")
			require.Equal(t, c.late, guarantee.InTime.Unmet(r))
			require.Equal(t, c.once, guarantee.ArrivesOnce.Unmet(r))
		})
	}
}

// Protocols reckon with jitter that has a bound, and with no noise.
func TestPremisesAboutMachinesThatVary(t *testing.T) {
	rep := reported(6)
	for jitter, unmet := range map[clock.Jitter]string{
		nil:                              "",
		clock.UniformJitter{Most: 1000}:  "",
		clock.ExponentialJitter{Mean: 2}: "jitter=exponential:2 has no bound",
		clock.LognormalJitter{Median: 2}: "jitter=lognormal:2:0 has no bound",
	} {
		rep.Jitter = jitter
		require.Equal(t, unmet, guarantee.InTime.Unmet(guarantee.Run{Report: rep}))
	}
	require.Empty(t, guarantee.NobodySlow.Unmet(guarantee.Run{Report: rep}))
	rep.Noise = &clock.Noise{Period: 100, Length: 3}
	require.Equal(t, "noise=100:3", guarantee.NobodySlow.Unmet(guarantee.Run{Report: rep}))
}

// A message that the schedule delivers again may arrive once more, and no other.
func TestIntegrityKnowsMessagesThatArriveTwice(t *testing.T) {
	doubled := run(t, 6, tell, "twice:0@send2+9,twice:0@send4+1,lose:0@send1,late:0@send3+7")
	requireVerdict(t, doubled, guarantee.Integrity{}, held, "all 6 messages that arrived were sent before")
	for i, e := range doubled.Report.Events {
		if e.Kind == report.EventTwice {
			doubled.Report.Events[i].Kind = report.EventLate
			require.Equal(t, broken, guarantee.Integrity{}.Check(doubled).Value)
			doubled.Report.Events[i] = e
		}
	}
}
