package catalog_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/fuzz"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// This is all that a new protocol needs; CONTRIBUTING.md shows the same. First its package:

// Ring is a broadcast that goes round the ring of ranks, one way or both ways.
type Ring struct{ Both bool }

// StepColoured is passed by ranks that have got the message.
const StepColoured = "coloured"

// Program is what the ranks do. Rank 0 begins.
func (r Ring) Program() protocols.Program {
	return protocols.Program{Main: r.main, Initiators: []int{0}}
}

func (r Ring) main(p protocols.Proc) {
	left, right := (p.Rank()+p.Size()-1)%p.Size(), (p.Rank()+1)%p.Size()
	if p.Rank() == 0 {
		p.Send(right, mailbox.Message{})
		if r.Both {
			p.Send(left, mailbox.Message{})
		}
		return
	}
	from, m := p.Recv(mailbox.Any)
	p.Step(StepColoured)
	next := right
	if from == right {
		next = left
	}
	if next != 0 {
		p.Send(next, m)
	}
}

// Then its file in the catalogue:

// ways is the table that the key of that name chooses from.
var ways = line.Choices[bool]{{"both", true}, {"one", false}}

var ringProtocol = scenarios.Protocol{
	Name:    "ring",
	Summary: "a message goes round the ring of ranks",
	Keys:    line.Keys{ways.Key("ways", "whether it goes round one way or both ways")},
	Steps:   []string{StepColoured},
	Build:   buildRing,
}

func buildRing(s line.Settings) (scenarios.Experiment, error) {
	ring := Ring{Both: ways.Of(s, "ways")}
	return scenarios.Experiment{
		Program: ring.Program(),
		Roots:   []int{0},
		Timing:  scenarios.Timing{Assumes: scenarios.NoLatency},
		Promises: []guarantee.Guarantee{
			guarantee.Promise{Guarantee: guarantee.ReachesEveryLiveRank{}, Premises: oneFailure},
			guarantee.Promise{Guarantee: guarantee.NoDeadlock{}, Premises: oneFailure},
			guarantee.Integrity{}, guarantee.NoDuplicates{},
		},
	}, nil
}

// oneFailure is what the ring stands: no more than one rank fails, and not the root.
var oneFailure = []guarantee.Premise{guarantee.RootsLive, guarantee.AtMostFailures(1)}

// And this is its line in the list.
var withRing = append(catalog.All(), ringProtocol)

func TestANewProtocolIsListedWithItsKeys(t *testing.T) {
	require.Contains(t, withRing.Names(), "ring")
	p, ok := withRing.Lookup("ring")
	require.True(t, ok)
	key, ok := p.AllKeys().Lookup("ways")
	require.True(t, ok)
	require.Equal(t, "both or one", key.Values)
	_, err := withRing.ParseLine("rong way=both")
	require.ErrorContains(t, err, "did you mean ring?")
	_, err = withRing.ParseLine("ring way=both")
	require.ErrorContains(t, err, "did you mean ways?")
}

func TestANewProtocolRuns(t *testing.T) {
	for text, held := range map[string]bool{
		"ring P=8": true, "ring P=8 ways=one": true, "ring P=1": true, "ring P=2": true,
		"ring P=8 faults=crash:3": true, "ring P=8 ways=one faults=crash:3": false, "ring P=8 network=torus:2x2x2 faults=hang:1@step:coloured": true,
	} {
		run, err := withRing.ParseLine(text)
		require.NoError(t, err)
		outcome, err := run.Execute(t.Context(), scenarios.Options{})
		require.NoError(t, err)
		require.Equal(t, guarantee.ValueOf(held), outcome.Verdict(), text)
	}
}

// A search finds the crash that breaks the ring if it is open, and proves that the closed one stands
// every single failure.
func TestANewProtocolIsExplored(t *testing.T) {
	for text, want := range map[string]string{"ring P=7 ways=one": "crash:1@t0", "ring P=7 ways=both": ""} {
		run, err := withRing.ParseLine(text)
		require.NoError(t, err)
		found, err := search.Explore(t.Context(), run.Subject(), search.ExploreOptions{Faults: 1})
		require.NoError(t, err)
		require.True(t, found.Complete())
		if want == "" {
			require.Empty(t, found.Violations)
			continue
		}
		require.Equal(t, want, found.Violations[0].Schedule.String())
		broken, err := withRing.ParseLine(run.WithFaults(found.Violations[0].Schedule))
		require.NoError(t, err)
		small, err := broken.Shrink(t.Context(), scenarios.ShrinkOptions{Runs: 100})
		require.NoError(t, err)
		require.Equal(t, "ring P=3 ways=one faults=crash:1@t0", small.Line)
	}
}

// A fuzzer needs nothing but the entry in the catalogue.
func TestANewProtocolIsFuzzed(t *testing.T) {
	target := fuzz.Protocol(withRing, "ring")
	var broken []string
	for ranks := range byte(16) {
		for _, way := range []byte{0, 1} {
			for fault := range byte(24) { // what happens and where, to rank 1
				input := []byte{1, ranks, 0, 0, 0, way, fault, 1, 0}
				if err := target(input); err != nil {
					require.Equal(t, byte(1), way, "both ways: %v", err)
					broken = append(broken, err.Error())
				}
			}
		}
	}
	require.NotEmpty(t, broken)
	require.Contains(t, broken[0], "fuzz: reaches every live rank: broken: ")
	require.Contains(t, broken[0], "mangrove run ring P=3 L=1 o=1 g=0 ways=one faults=crash:1@t0")
}

// What CONTRIBUTING.md shows is what is tested here.
func TestTheGuideShowsThisProtocol(t *testing.T) {
	guide, err := os.ReadFile("../../CONTRIBUTING.md")
	require.NoError(t, err)
	here, err := os.ReadFile("newprotocol_test.go")
	require.NoError(t, err)
	blocks := strings.Split(string(guide), "```go\n")[1:]
	require.Len(t, blocks, 3)
	for _, block := range blocks {
		code, _, closed := strings.Cut(block, "```")
		require.True(t, closed)
		require.Contains(t, string(here), strings.TrimSpace(code))
	}
}
