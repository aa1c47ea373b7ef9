package catalog_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Lines for tests of how runs are executed: made up of all that a line can say, the machine and its network included, as protocols promise
// little or nothing on most of these machines and fuzzers leave them alone.

// drawnRanks is how many ranks a line has at most that is drawn.
const drawnRanks = 40

// valuesTried are the values of keys in the place of those that fuzzers choose from: those of the machine, and what would take too long on it.
var valuesTried = map[string]line.Tries{
	"P":       line.Numbers(1, drawnRanks),
	"network": line.Words("uniform", "uniform", "uniform", "uniform", "torus:4x5x2", "mesh:10x2x2:zyx", "fattree:4x3", "switch:1", "switch:1", "switch:4"),
	"nodes":   line.Words("none", "none", "none", "1", "3", "7"),
	"Lin":     insideOfNodes("1", "2", "9"),
	"oin":     insideOfNodes("auto", "1", "3"),
	"jitter":  line.Words("none", "none", "none", "uniform:0..5", "exponential:3", "lognormal:5:0.8", "table:0x90,5x9,200x1"),
	"until":   line.Words("300", "900", "2500"),
	"noise":   line.Words("none", "none", "none", "50:9", "random:40:7"),
}

// insideOfNodes are values that need nodes.
func insideOfNodes(values ...string) line.Tries {
	return func(s line.Settings) []string {
		if s.Text("nodes") == "none" {
			return nil
		}
		return values
	}
}

// onAnyMachine is a protocol whose lines are made up with all keys.
func onAnyMachine(p scenarios.Protocol) scenarios.Protocol {
	p.Fuzz.Common = []string{"G", "network", "nodes", "Lin", "oin", "jitter", "noise", "links", "receive", "seed"}
	p.Fuzz.Tries = maps.Clone(p.Fuzz.Tries)
	if p.Fuzz.Tries == nil {
		p.Fuzz.Tries = make(map[string]line.Tries)
	}
	maps.Copy(p.Fuzz.Tries, valuesTried)
	for _, key := range p.Keys {
		switch key.Name {
		case "agreement", "revoke", "strategy", "detector": // all of them, which are not equally often worth a fuzzer's time
			p.Fuzz.Tries[key.Name] = line.Words(strings.Split(strings.ReplaceAll(key.Values, " or ", ", "), ", ")...)
		}
	}
	return p
}

// drawLine makes up a line of a protocol, with failures.
func drawLine(t *testing.T, random *rand.Rand, p scenarios.Protocol) string {
	t.Helper()
	any := onAnyMachine(p)
	for range 1000 {
		plain := any.MakeUp(func(_ line.Key, values []string) string {
			if len(values) == 0 {
				return ""
			}
			return values[random.IntN(len(values))]
		})
		if run, err := p.ParseLine(plain); err == nil {
			return drawFaults(random, run)
		}
	}
	require.FailNow(t, "the values of the keys do not go together", p.Name)
	return ""
}

// drawFaults returns the line of a run with other faults.
func drawFaults(random *rand.Rand, run *scenarios.Run) string {
	p, ranks := run.Protocol(), run.Config().Ranks
	for {
		decoder := p.Decoder(ranks)
		decoder.Rejoin, decoder.Cut, decoder.Mend = run.NoReturn() == "", true, true
		data := make([]byte, 3*random.IntN(7))
		for i := range data {
			data[i] = byte(random.Uint32())
			if i%3 == 2 {
				data[i] >>= random.IntN(8) // most runs are short
			}
		}
		items := make([]string, 0, 8)
		for _, f := range decoder.Decode(data) {
			items = append(items, f.String())
		}
		for random.IntN(3) == 0 {
			items = append(items, drawGroup(random, ranks, decoder.Rejoin))
		}
		if decoder.Rejoin && random.IntN(2) == 0 { // by chance hardly anybody who comes back has failed before
			rank, at := random.IntN(ranks), random.IntN(200)
			items = append(items, fmt.Sprintf("%s:%d@t%d,rejoin:%d@t%d", []string{"crash", "hang"}[random.IntN(2)], rank, at, rank, at+1+random.IntN(300)))
		}
		text := run.With("faults", strings.Join(append(items, "none")[:max(1, len(items))], ","))
		if _, err := p.ParseLine(text); err == nil {
			return text
		}
	}
}

// drawGroup makes up what happens to ranks drawn at random, to groups of ranks, or to all messages of some links.
func drawGroup(random *rand.Rand, ranks int, rejoin bool) string {
	rank := func() string { return strconv.Itoa(random.IntN(ranks)) }
	at := random.IntN(60)
	some := fmt.Sprintf("~%d", 1+random.IntN(1+ranks/4))
	if random.IntN(2) == 0 {
		some = fmt.Sprintf("%d%%", 5+random.IntN(30))
	}
	links := []string{rank() + ">" + rank(), "0-" + rank() + "|*", "*>" + rank(), rank() + "+" + rank() + ">*", some + "|*"}[random.IntN(5)]
	span := fmt.Sprintf("@t%d..t%d", at, at+1+random.IntN(90))
	switch random.IntN(9) {
	case 0:
		return fmt.Sprintf("crash:%s@recv%d", some, 1+random.IntN(3))
	case 1:
		return fmt.Sprintf("hang:%s@t%d", some, at)
	case 2:
		return fmt.Sprintf("slow:%sx3@before-send%d", some, 1+random.IntN(3))
	case 3:
		return fmt.Sprintf("late:%s@send%d+%d", some, 1+random.IntN(3), 1+at)
	case 4:
		return fmt.Sprintf("late:%s%s+%d", links, span, 1+random.IntN(30))
	case 5:
		return fmt.Sprintf("lose:%s%s", links, span)
	case 6:
		return fmt.Sprintf("twice:%s%s+%d", links, span, 1+random.IntN(30))
	case 7:
		if rejoin {
			return fmt.Sprintf("crash:%s@t%d,rejoin:50%%@t%d", some, at, at+1+random.IntN(200))
		}
		return fmt.Sprintf("crash:%s", some)
	default:
		return fmt.Sprintf("cut:%s@t%d", links, at)
	}
}
