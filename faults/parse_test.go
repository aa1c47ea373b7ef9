package faults

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

func TestParseReadsEveryForm(t *testing.T) {
	for _, c := range []struct {
		text string
		want Fault
	}{
		{"crash:3@send2", Fault{Kind: Crash, Rank: 3, At: DuringNthSend(2)}},
		{"crash:3@before-send2", Fault{Kind: Crash, Rank: 3, At: BeforeNthSend(2)}},
		{"crash:3@after-send2", Fault{Kind: Crash, Rank: 3, At: AfterNthSend(2)}},
		{"crash:3@recv1", Fault{Kind: Crash, Rank: 3, At: OnNthRecv(1)}},
		{"crash:3@recv2147483647", Fault{Kind: Crash, Rank: 3, At: OnNthRecv(1<<31 - 1)}},
		{"crash:3@step:commit", Fault{Kind: Crash, Rank: 3, At: OnStep("commit", 1)}},
		{"hang:3@step:commit#2", Fault{Kind: Hang, Rank: 3, At: OnStep("commit", 2)}},
		{"crash:3@step:A-z_0.9/x", Fault{Kind: Crash, Rank: 3, At: OnStep("A-z_0.9/x", 1)}},
		{"crash:3@before-write2", Fault{Kind: Crash, Rank: 3, At: BeforeNthWrite(2)}},
		{"crash:3@write2", Fault{Kind: Crash, Rank: 3, At: DuringNthWrite(2)}},
		{"hang:3@after-write2", Fault{Kind: Hang, Rank: 3, At: AfterNthWrite(2)}},
		{"crash:3@before-sync1", Fault{Kind: Crash, Rank: 3, At: BeforeNthSync(1)}},
		{"slow:3x2@sync1", Fault{Kind: Slow, Rank: 3, Factor: 2, At: DuringNthSync(1)}},
		{"crash:3@after-sync2147483647", Fault{Kind: Crash, Rank: 3, At: AfterNthSync(1<<31 - 1)}},
		{"crash:3@sync2:kept1", Fault{Kind: Crash, Rank: 3, At: DuringNthSync(2), Kept: "1"}},
		{"hang:3@t9:kept1-2+4", Fault{Kind: Hang, Rank: 3, At: OnTime(9), Kept: "1-2+4"}},
		{"crash:~2@step:a#2:kept*", Fault{Kind: Crash, Select: Count, Number: 2, At: OnStep("a", 2), Kept: Others}},
		{"hang:9@t12", Fault{Kind: Hang, Rank: 9, At: OnTime(12)}},
		{"hang:0@t0", Fault{Kind: Hang, At: OnTime(0)}},
		{"crash:2147483646@t1099511627776", Fault{Rank: clock.MaxRanks - 1, At: OnTime(clock.MaxCost)}},
		{"slow:5x4@t10", Fault{Kind: Slow, Rank: 5, Factor: 4, At: OnTime(10)}},
		{"slow:5x1000000@recv1", Fault{Kind: Slow, Rank: 5, Factor: 1e6, At: OnNthRecv(1)}},
		{"crash:~5@t0", Fault{Kind: Crash, Select: Count, Number: 5}},
		{"slow:~5x4@t10", Fault{Kind: Slow, Select: Count, Number: 5, Factor: 4, At: OnTime(10)}},
		{"crash:1%@t0", Fault{Kind: Crash, Select: Rate, Rate: OnePercent}},
		{"crash:100%@t0", Fault{Kind: Crash, Select: Rate, Rate: 100 * OnePercent}},
		{"crash:0.01%@t0", Fault{Kind: Crash, Select: Rate, Rate: OnePercent / 100}},
		{"crash:0.000000001%@t0", Fault{Kind: Crash, Select: Rate, Rate: 1}},
		{"rejoin:4@t90", Fault{Kind: Rejoin, Rank: 4, At: OnTime(90)}},
		{"rejoin:2147483646@t1099511627776", Fault{Kind: Rejoin, Rank: clock.MaxRanks - 1, At: OnTime(clock.MaxCost)}},
		{"rejoin:~2@t1", Fault{Kind: Rejoin, Select: Count, Number: 2, At: OnTime(1)}},
		{"rejoin:50%@t90", Fault{Kind: Rejoin, Select: Rate, Rate: 50 * OnePercent, At: OnTime(90)}},
		{"cut:0-3|4-7@t10", Fault{Kind: Cut, Left: "0-3", Right: "4-7", At: OnTime(10)}},
		{"cut:0-3+9|4-7@t0", Fault{Kind: Cut, Left: "0-3+9", Right: "4-7"}},
		{"cut:4|*@t10", Fault{Kind: Cut, Left: "4", Right: Others, At: OnTime(10)}},
		{"cut:0-268435454|2147483646@t10", Fault{Kind: Cut, Left: "0-268435454", Right: "2147483646", At: OnTime(10)}},
		{"cut:~3|*@t10", Fault{Kind: Cut, Select: Count, Number: 3, Right: Others, At: OnTime(10)}},
		{"cut:1%|*@t10", Fault{Kind: Cut, Select: Rate, Rate: OnePercent, Right: Others, At: OnTime(10)}},
		{"cut:0-3>4-7@t10", Fault{Kind: Cut, Left: "0-3", Right: "4-7", OneWay: true, At: OnTime(10)}},
		{"cut:4>0-3@t10", Fault{Kind: Cut, Left: "4", Right: "0-3", OneWay: true, At: OnTime(10)}},
		{"cut:4>*@t10", Fault{Kind: Cut, Left: "4", Right: Others, OneWay: true, At: OnTime(10)}},
		{"cut:*>4@t10", Fault{Kind: Cut, Left: Others, Right: "4", OneWay: true, At: OnTime(10)}},
		{"cut:~2>*@t10", Fault{Kind: Cut, Select: Count, Number: 2, Right: Others, OneWay: true, At: OnTime(10)}},
		{"mend:0-3|4-7@t90", Fault{Kind: Mend, Left: "0-3", Right: "4-7", At: OnTime(90)}},
		{"mend:0-3>4-7@t90", Fault{Kind: Mend, Left: "0-3", Right: "4-7", OneWay: true, At: OnTime(90)}},
		{"late:0@send1+20", Fault{Kind: Late, At: DuringNthSend(1), Delay: 20}},
		{"late:~5@send1+20", Fault{Kind: Late, Select: Count, Number: 5, At: DuringNthSend(1), Delay: 20}},
		{"late:1%@send3+1099511627776", Fault{Kind: Late, Select: Rate, Rate: OnePercent, At: DuringNthSend(3), Delay: clock.MaxCost}},
		{"lose:0@send3", Fault{Kind: Lose, At: DuringNthSend(3)}},
		{"twice:7@send3+5", Fault{Kind: Twice, Rank: 7, At: DuringNthSend(3), Delay: 5}},
		{"late:0>3@t10..t50+20", Fault{Kind: Late, Left: "0", Right: "3", OneWay: true, At: OnTime(10), Until: 50, Delay: 20}},
		{"late:0|*@t10+20", Fault{Kind: Late, Left: "0", Right: Others, At: OnTime(10), Delay: 20}},
		{"lose:0-2+4>5@t0..t1", Fault{Kind: Lose, Left: "0-2+4", Right: "5", OneWay: true, Until: 1}},
		{"twice:~2>*@t7..t9+1", Fault{Kind: Twice, Select: Count, Number: 2, Right: Others, OneWay: true, At: OnTime(7), Until: 9, Delay: 1}},
		{"slow:2.5%x4@t10", Fault{Kind: Slow, Select: Rate, Rate: 5 * OnePercent / 2, Factor: 4, At: OnTime(10)}},
	} {
		t.Run(c.text, func(t *testing.T) {
			got, err := Parse(c.text)
			require.NoError(t, err)
			require.Equal(t, Schedule{c.want}, got)
			assert.Equal(t, c.text, got.String())
			assert.Equal(t, c.text, got[0].String())
		})
	}
}

func TestParseAcceptsMoreThanStringPrints(t *testing.T) {
	for text, canonical := range map[string]string{
		"":                                   "none",
		" \n":                                "none",
		"none":                               "none",
		" none ":                             "none",
		"crash:3":                            "crash:3@t0",
		"slow:3x2":                           "slow:3x2@t0",
		"crash:~5":                           "crash:~5@t0",
		"crash:3@step:a#1":                   "crash:3@step:a",
		"crash:1.50%":                        "crash:1.5%@t0",
		"crash:2.0%":                         "crash:2%@t0",
		"crash:100.000000000%":               "crash:100%@t0",
		" crash:3@t1 ,\n\thang:4@t2\r\n":     "crash:3@t1,hang:4@t2",
		"crash:3@t1, crash:3@t1":             "crash:3@t1,crash:3@t1", // refused by Validate
		"hang:4@t2,crash:3@t1,slow:1%x3@t99": "hang:4@t2,crash:3@t1,slow:1%x3@t99",
		"cut:4|*":                            "cut:4|*@t0",
		"cut:0+1+2|4+3":                      "cut:0-2|3-4@t0",
		"cut:4-7|0-3+9@t10":                  "cut:0-3+9|4-7@t10",
		"cut:9+0-2+1-5+9-9|6+8":              "cut:0-5+9|6+8@t0",
		"cut:7+5|*":                          "cut:5+7|*@t0",
		"cut:9|3":                            "cut:3|9@t0",
		"cut:9>3+1+2":                        "cut:9>1-3@t0",
		"late:9|3@t1+2":                      "late:3|9@t1+2",
	} {
		s, err := Parse(text)
		require.NoError(t, err, "%q", text)
		assert.Equal(t, canonical, s.String(), "%q", text)
	}
}

func TestParseErrorsSayWhatIsValid(t *testing.T) {
	const (
		rank    = ", want 0 to 2147483646"
		nth     = ", want 1 to 2147483647"
		ticks   = ", want 0 to 1099511627776"
		percent = ", want more than 0% and at most 100%, with at most 9 decimals"
		step    = ", want one or more of A-Z a-z 0-9 - _ . /"
		point   = ", want t, before-send, send, after-send, recv, before-write, write, after-write, before-sync, sync or after-sync and a number, or step: and a name"
		item    = "want kind:ranks@point, such as crash:3@t0"
		later   = "want 1 to 1099511627776: nobody can come back before anything has failed"
		timed   = ", want a time such as t90: a "
		delay   = ", want 1 to 1099511627776"

		messages = "@send and a number after ranks, or @t and a time after links such as 0>3"
	)
	for text, want := range map[string]string{
		"crsh:3@t1":                    `unknown kind "crsh", want crash, hang, slow, rejoin, cut, mend, late, lose or twice`,
		"Crash:3@t1":                   `unknown kind "Crash", want crash, hang, slow, rejoin, cut, mend, late, lose or twice`,
		":3@t1":                        `unknown kind "", want crash, hang, slow, rejoin, cut, mend, late, lose or twice`,
		"crsh:3x4@t1":                  `unknown kind "crsh", want crash, hang, slow, rejoin, cut, mend, late, lose or twice`,
		"crash:3@write0":               `write number "0"` + nth,
		"crash:3@after-sync":           `sync number ""` + nth,
		"crash:3@sync1:kept":           `kept change "", want 1 to 2147483646, such as :kept1-3+5, or :kept* for all`,
		"crash:3@sync1:kept0":          `kept change "0", want 1 to 2147483646, such as :kept1-3+5, or :kept* for all`,
		"crash:3@sync1:kept3-2":        `range "3-2", want the smaller kept change first, such as :kept1-3+5, or :kept* for all`,
		"slow:3x2@sync1:kept1":         `kept changes 1, want none: only crash or hang has one`,
		"rejoin:3@t9:kept*":            `kept changes *, want none: only crash or hang has one`,
		"crash":                        item,
		"crash@t3":                     item,
		"crash:":                       `no ranks, want a rank such as 3, ~5 for five drawn ones, or a rate such as 1%`,
		"crash:a":                      `rank "a"` + rank,
		"crash:-1":                     `rank "-1"` + rank,
		"crash:+1":                     `rank "+1"` + rank,
		"crash: 1":                     `rank " 1"` + rank,
		"crash:1_0":                    `rank "1_0"` + rank,
		"crash:2147483647":             `rank "2147483647"` + rank,
		"crash:99999999999999999999":   `rank "99999999999999999999"` + rank,
		"crash:03":                     `rank "03", want no leading zeros`,
		"crash:~0":                     `number of ranks "0", want 1 to 2147483647`,
		"crash:~":                      `number of ranks "", want 1 to 2147483647`,
		"crash:~05":                    `number of ranks "05", want no leading zeros`,
		"crash:0%":                     `rate "0%"` + percent,
		"crash:%":                      `rate "%"` + percent,
		"crash:.5%":                    `rate ".5%"` + percent,
		"crash:5.%":                    `rate "5.%"` + percent,
		"crash:01%":                    `rate "01%"` + percent,
		"crash:1e1%":                   `rate "1e1%"` + percent,
		"crash:1.+5%":                  `rate "1.+5%"` + percent,
		"crash:1.5.5%":                 `rate "1.5.5%"` + percent,
		"crash:-1%":                    `rate "-1%"` + percent,
		"crash:100.000000001%":         `rate "100.000000001%"` + percent,
		"crash:0.0000000001%":          `rate "0.0000000001%"` + percent,
		"crash:NaN%":                   `rate "NaN%"` + percent,
		"crash:3x4@t1":                 `factor "4", want none: only slow has one`,
		"slow:3@t1":                    `no factor, want x and 2 to 1000000 after the ranks`,
		"slow:3x@t1":                   `factor "", want 2 to 1000000`,
		"slow:3x1@t1":                  `factor "1", want 2 to 1000000`,
		"slow:3x1000001@t1":            `factor "1000001", want 2 to 1000000`,
		"slow:3x4x4@t1":                `factor "4x4", want 2 to 1000000`,
		"slow:3x4%@t1":                 `factor "4%", want 2 to 1000000`,
		"crash:3@":                     `unknown point ""` + point,
		"crash:3@3":                    `unknown point "3"` + point,
		"crash:3@mid-send2":            `unknown point "mid-send2"` + point,
		"crash:3@@t1":                  `unknown point "@t1"` + point,
		"crash:3@t":                    `time ""` + ticks,
		"crash:3@t-1":                  `time "-1"` + ticks,
		"crash:3@t1099511627777":       `time "1099511627777"` + ticks,
		"crash:3@t01":                  `time "01", want no leading zeros`,
		"crash:3@t1@t2":                `time "1@t2"` + ticks,
		"crash:3@send":                 `send number ""` + nth,
		"crash:3@send0":                `send number "0"` + nth,
		"crash:3@before-send0":         `send number "0"` + nth,
		"crash:3@after-send2147483648": `send number "2147483648"` + nth,
		"crash:3@recv0":                `receive number "0"` + nth,
		"crash:3@step":                 `unknown point "step"` + point,
		"crash:3@step:":                `step name ""` + step,
		"crash:3@step:a b":             `step name "a b"` + step,
		"crash:3@step:é":               `step name "é"` + step,
		"crash:3@step:#2":              `step name ""` + step,
		"crash:3@step:#0":              `step name ""` + step,
		"crash:3@step:a#":              `passage ""` + nth,
		"crash:3@step:a#0":             `passage "0"` + nth,
		"crash:3@step:a#2#3":           `passage "2#3"` + nth,
		"rejoin:4":                     "no time, want @t and 1 to 1099511627776: nobody can come back before anything has failed",
		"rejoin:4@t0":                  "time 0, " + later,
		"rejoin:~4@t0":                 "time 0, " + later,
		"rejoin:4@t":                   `time ""` + ticks,
		"rejoin:4@recv1":               "point recv1" + timed + "rejoin is not tied to a program",
		"rejoin:4@step:a#2":            "point step:a#2" + timed + "rejoin is not tied to a program",
		"rejoin:4x2@t9":                `factor "2", want none: only slow has one`,
		"rejoin:1-2@t9":                `rank "1-2"` + rank,
		"rejoin:0|1@t9":                `rank "0|1"` + rank,
		"cut:4@t10":                    `no right side, want | and ranks behind "4", or |* for all others`,
		"cut:":                         `no right side, want | and ranks behind "", or |* for all others`,
		"cut:~3@t10":                   `no right side, want | and ranks behind "~3", or |* for all others`,
		"cut:|4":                       "no left side, want ranks such as 0-3+9",
		"cut:4|":                       "no right side, want ranks such as 0-3+9",
		"cut:*|4":                      `left side "*", want ranks such as 0-3+9`,
		"cut:*|*":                      `left side "*", want ranks such as 0-3+9`,
		"cut:4|5|6":                    `right side: rank "5|6"` + rank,
		"cut:4|5x2":                    `right side: rank "5x2"` + rank,
		"cut:4|5+":                     `right side: rank ""` + rank,
		"cut:4|05":                     `right side: rank "05", want no leading zeros`,
		"cut:4|2147483647":             `right side: rank "2147483647"` + rank,
		"cut:1-2-3|5":                  `left side: rank "2-3"` + rank,
		"cut:3-|5":                     `left side: rank ""` + rank,
		"cut:3-1|5":                    `left side: range "3-1", want the smaller rank first`,
		"cut:0+*|5":                    `left side: rank "*"` + rank,
		"cut:0-5|9+4+3":                "rank 3 is on both sides",
		"cut:0-9|4":                    "rank 4 is on both sides",
		"cut:0-2147483646|*":           "no right side: all 2147483647 ranks are on the left",
		"cut:~2147483647|*":            "number of ranks 2147483647, want 1 to 2147483646",
		"cut:~0|*":                     `number of ranks "0", want 1 to 2147483647`,
		"cut:0%|*":                     `rate "0%"` + percent,
		"cut:~2|4":                     `right side "4", want "*": of drawn ranks, all links to others are meant`,
		"cut:2%|4-7":                   `right side "4-7", want "*": of drawn ranks, all links to others are meant`,
		"cut:4|~2":                     `right side: rank "~2"` + rank,
		"cut:4|5@send1":                "point send1" + timed + "cut is not tied to a program",
		"cut:4|5@t-1":                  `time "-1"` + ticks,
		"cut:*>*":                      `left side "*", want ranks such as 0-3+9`,
		"cut:>4":                       "no left side, want ranks such as 0-3+9",
		"cut:4>":                       "no right side, want ranks such as 0-3+9",
		"cut:*>0-2147483646":           "no left side: all 2147483647 ranks are on the right",
		"cut:4>4":                      "rank 4 is on both sides",
		"cut:4|5@t1..t5":               `time "1..t5"` + ticks,
		"cut:4|5@t1+5":                 `time "1+5"` + ticks,
		"crash:4@send1+5":              `send number "1+5"` + nth,
		"mend:0|1":                     "no time, want @t and 1 to 1099511627776: nothing is cut before the run begins",
		"mend:0|1@t0":                  "time 0, want 1 to 1099511627776: nothing is cut before the run begins",
		"mend:0|1@send1":               "point send1" + timed + "mend is not tied to a program",
		"mend:~1|*@t5":                 "ranks to draw, want those that were cut off before",
		"mend:4@t5":                    `no right side, want | and ranks behind "4", or |* for all others`,
		"late:0":                       "no messages, want " + messages,
		"lose:0|1":                     "no messages, want " + messages,
		"late:0@send1":                 "no delay, want + and 1 to 1099511627776 at the end",
		"late:0@send1+":                `delay ""` + delay,
		"late:0@send1+0":               `delay "0"` + delay,
		"late:0@send1+1+2":             `delay "1+2"` + delay,
		"twice:0@send1+1099511627777":  `delay "1099511627777"` + delay,
		"lose:0@send1+5":               "delay 5, want none: only late and twice has one",
		"lose:0x2@send1":               `factor "2", want none: only slow has one`,
		"lose:0@send0":                 `send number "0"` + nth,
		"lose:0@recv1":                 "point recv1, want " + messages,
		"lose:0@t5":                    "point t5, want " + messages,
		"lose:0@send1..t5":             "Until 5, want none: only a fault of messages on links has one",
		"lose:0|1@send1":               "point send1, want a time such as t90: a fault on links is not tied to a program",
		"lose:0|1@t5..t5":              "times t5 to t5, want a later end, up to 1099511627776",
		"lose:0|1@t5..5":               `unknown point "5"` + point,
		"lose:0|1@t5..t0":              `end "t0", want t and a time after the first one`,
		"lose:0|1@t5..send9":           `end "send9", want t and a time after the first one`,
		"lose:0|1@t5..t9..t12":         `time "9..t12"` + ticks,
	} {
		s, err := Parse(text)
		assert.Nil(t, s, "%q", text)
		assert.EqualError(t, err, `faults: item 1 "`+text+`": `+want)
	}
}

func TestParseReportsEveryMistakeAtOnce(t *testing.T) {
	_, err := Parse("crash:3@t1, crsh:x@t-1,,none")
	require.EqualError(t, err, `faults: item 2 "crsh:x@t-1": unknown kind "crsh", want crash, hang, slow, rejoin, cut, mend, late, lose or twice`+
		`; item 2 "crsh:x@t-1": no ranks, want a rank such as 3, ~5 for five drawn ones, or a rate such as 1%`+
		`; item 2 "crsh:x@t-1": time "-1", want 0 to 1099511627776`+
		`; item 3 "": want kind:ranks@point, such as crash:3@t0`+
		`; item 4 "none": want kind:ranks@point, such as crash:3@t0`)
}

func TestMustParsePanicsOnAMistake(t *testing.T) {
	assert.PanicsWithError(t, `faults: item 1 "boom": want kind:ranks@point, such as crash:3@t0`,
		func() { MustParse("boom") })
	assert.Equal(t, Schedule{{Rank: 3, At: OnTime(1)}}, MustParse("crash:3@t1"))
}

func TestASchedulesKindsAreThoseOfItsItems(t *testing.T) {
	s := MustParse("crash:1@t3,slow:2x3@send1")
	require.True(t, s.Has(Crash))
	require.True(t, s.Has(Slow))
	require.False(t, s.Has(Hang))
	require.False(t, Schedule(nil).Has(Crash))
}
