package scenarios_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// idleRanks is a protocol with as little as there must be.
func idleRanks() scenarios.Protocol {
	return scenarios.Protocol{Name: "idle", Build: func(line.Settings) (scenarios.Experiment, error) {
		return scenarios.Experiment{Program: protocols.Program{Main: func(protocols.Proc) {}}}, nil
	}}
}

func TestANameAndABuildAreEnough(t *testing.T) {
	g := scenarios.Registry{idleRanks()}
	require.NoError(t, g.Validate())
	run, err := g.ParseLine("idle P=3")
	require.NoError(t, err)
	outcome, err := run.Execute(t.Context(), scenarios.Options{})
	require.NoError(t, err)
	require.Equal(t, guarantee.Held, outcome.Verdict())
	require.Len(t, outcome.Guarantees, 1)
}

func TestTheCatalogueIsValid(t *testing.T) {
	require.NoError(t, catalog.All().Validate())
	require.NoError(t, notebook(true).Validate())
}

// A key needs a name and a default: any word will do for a value then.
func TestAKeyWithoutACheckTakesAnyWord(t *testing.T) {
	p := idleRanks()
	p.Keys = line.Keys{{Name: "colour", Default: "red"}}
	g := scenarios.Registry{p}
	require.NoError(t, g.Validate())
	run, err := g.ParseLine("idle colour=blue")
	require.NoError(t, err)
	require.Equal(t, "blue", run.Settings().Text("colour"))
	_, err = g.ParseLine("idle colour=")
	require.EqualError(t, err, `scenarios: "colour=": empty value, want any word`)
}

func TestWhatIsWrongWithAProtocolIsSaid(t *testing.T) {
	never := func(line.Settings) bool { return false }
	key := func(name string) line.Key { return line.NumberKey(name, 1, 1, 9, "a number") }
	for want, spoil := range map[string]func(p *scenarios.Protocol){
		`protocol "my idle": a Name with other characters, want letters, digits, - and _, a letter first`: func(p *scenarios.Protocol) { p.Name = "my idle" },
		`protocol "-x": a Name with other characters`:                                                     func(p *scenarios.Protocol) { p.Name = "-x" },
		`protocol "a=b": a Name with other characters`:                                                    func(p *scenarios.Protocol) { p.Name = "a=b" },
		`protocol 1 of 1: no Name, want letters`:                                                          func(p *scenarios.Protocol) { p.Name = "" },
		`protocol "idle": no Build, want a function that makes the experiment of a line`:                  func(p *scenarios.Protocol) { p.Build = nil },
		`protocol "idle": key "P": all lines of this protocol have P= (number of ranks), want another name`: func(p *scenarios.Protocol) {
			p.Keys = line.Keys{key("P")}
		},
		`protocol "idle": key "size": all lines of this protocol have ranks= (number of ranks), want another name`: func(p *scenarios.Protocol) {
			size := key("size")
			size.Alias = "ranks"
			p.Keys = line.Keys{size}
		},
		`protocol "idle": key "sync": all lines of this protocol have sync= (ticks until what was changed is safe), want another name`: func(p *scenarios.Protocol) {
			p.Stores, p.Keys = true, line.Keys{key("sync")}
		},
		`protocol "idle": key "native": the word native asks for what an MPI library has of its own, want another name`: func(p *scenarios.Protocol) {
			p.Keys = line.Keys{key("native")}
		},
		`protocol "idle": key "k": two keys go by the name k, want another name for each`: func(p *scenarios.Protocol) { p.Keys = line.Keys{key("k"), key("k")} },
		`protocol "idle": key 2 of 2 has no Name, want letters`:                           func(p *scenarios.Protocol) { p.Keys = line.Keys{key("k"), {Default: "x"}} },
		`protocol "idle": key "2k": "2k", want letters`:                                   func(p *scenarios.Protocol) { p.Keys = line.Keys{key("2k")} },
		`protocol "idle": key "k": Default "", want one word that is valid`:               func(p *scenarios.Protocol) { p.Keys = line.Keys{{Name: "k"}} },
		`protocol "idle": key "k": Default "a b", want one word that is valid`:            func(p *scenarios.Protocol) { p.Keys = line.Keys{{Name: "k", Default: "a b"}} },
		`protocol "idle": key "k": Default "0": want a number from 1 to 9`: func(p *scenarios.Protocol) {
			p.Keys = line.Keys{line.NumberKey("k", 0, 1, 9, "a number")}
		},
		`protocol "idle": Idle 1 is about key "j", want one of k, P, L, `: func(p *scenarios.Protocol) {
			p.Keys, p.Idle = line.Keys{key("k")}, []line.Idle{{Key: "j", Because: "k", If: never}}
		},
		`protocol "idle": Idle 1 is because of key "j", want one of k, P, L, `: func(p *scenarios.Protocol) {
			p.Keys, p.Idle = line.Keys{key("k")}, []line.Idle{{Key: "k", Because: "j", If: never}}
		},
		`protocol "idle": Idle 1 has no If, want a function that says when key k has no effect`: func(p *scenarios.Protocol) {
			p.Keys, p.Idle = line.Keys{key("k")}, []line.Idle{{Key: "k", Because: "P"}}
		},
		`protocol "idle": RejoinsWith is about key "k", want one of its Keys`: func(p *scenarios.Protocol) { p.RejoinsWith = &scenarios.Setting{Key: "k", Value: "1"} },
		`protocol "idle": RejoinsWith k=0: want a number from 1 to 9`: func(p *scenarios.Protocol) {
			p.Keys, p.RejoinsWith = line.Keys{key("k")}, &scenarios.Setting{Key: "k", Value: "0"}
		},
		`protocol "idle": step "a b", want a name without blanks`: func(p *scenarios.Protocol) { p.Steps = []string{"a b"} },
		`protocol "idle": step "a#2", want a name without blanks`: func(p *scenarios.Protocol) { p.Steps = []string{"a#2"} },
		`protocol "idle": step "a" is there twice`:                func(p *scenarios.Protocol) { p.Steps = []string{"a", "a"} },
		`protocol "idle": Fuzz.Common has "k", want keys that all protocols have`: func(p *scenarios.Protocol) {
			p.Fuzz.Common = []string{"k"}
		},
		`protocol "idle": Fuzz.Tries has "k", want one of P, L, `: func(p *scenarios.Protocol) { p.Fuzz.Tries = map[string]line.Tries{"k": line.Words("1")} },
		`protocol "idle": Fuzz.Tries has nil for "L", want a function`: func(p *scenarios.Protocol) {
			p.Fuzz.Tries = map[string]line.Tries{"L": nil}
		},
		`protocol "idle": Fuzz.Scale = -1 ticks, want 0 or more`: func(p *scenarios.Protocol) { p.Fuzz.Scale = -1 },
	} {
		p := idleRanks()
		spoil(&p)
		err := scenarios.Registry{p}.Validate()
		var input *line.InputError
		require.ErrorAs(t, err, &input, want)
		require.Len(t, input.Problems, 1, "%s: %s", want, err)
		require.True(t, strings.HasPrefix(input.Problems[0], want), "%s, want %s", input.Problems[0], want)
	}
}

// All mistakes of all protocols are said at once.
func TestARegistryIsCheckedAsAWhole(t *testing.T) {
	require.EqualError(t, scenarios.Registry{}.Validate(), "scenarios: no protocols, want one or more")
	err := scenarios.Registry{idleRanks(), {Name: "half"}, idleRanks()}.Validate()
	require.EqualError(t, err, `scenarios: protocol "half": no Build, want a function that makes the experiment of a line; `+
		`protocol "idle": protocols 1 and 3 have this name, want another one for each`)
}

// What Build has made is looked at, too.
func TestWhatBuildForgetsIsSaid(t *testing.T) {
	main := protocols.Program{Main: func(protocols.Proc) {}}
	for want, e := range map[string]scenarios.Experiment{
		"Program has no Main, want what ranks do":    {},
		"rank 4 of Roots, want 0 to 3":               {Program: main, Roots: []int{0, 4}},
		"rank -1 of Program.Initiators, want 0 to 3": {Program: protocols.Program{Main: main.Main, Initiators: []int{-1}}},
		"promise 2 of 2 has no Guarantee, want what must hold": {Program: main, Promises: []guarantee.Guarantee{
			guarantee.NoDeadlock{}, guarantee.When(guarantee.NobodyFails, nil)}},
		"promise 1 of 1 has no Guarantee, want what must hold": {Program: main, Promises: []guarantee.Guarantee{nil}},
	} {
		p := idleRanks()
		p.Build = func(line.Settings) (scenarios.Experiment, error) { return e, nil }
		_, err := p.ParseLine("idle P=4")
		require.EqualError(t, err, `scenarios: protocol "idle": Build: `+want)
	}
	p := idleRanks()
	p.Build = func(line.Settings) (scenarios.Experiment, error) { return scenarios.Experiment{}, errors.New("no") }
	_, err := p.ParseLine("idle")
	require.EqualError(t, err, "scenarios: no")
}

// What keys are called says nothing: it is Stores that says that ranks store something.
func TestAProtocolThatStoresNothingMayNameItsKeysAsItLikes(t *testing.T) {
	p := idleRanks()
	for _, name := range []string{"write", "sync", "read"} {
		p.Keys = append(p.Keys, line.NumberKey(name, 1, 1, 9, "a number"))
		require.NoError(t, scenarios.Registry{p}.Validate())
		run, err := p.ParseLine("idle P=2 " + name + "=7")
		require.NoError(t, err)
		require.Zero(t, run.Config().Disk)
		_, err = run.Execute(t.Context(), scenarios.Options{})
		require.NoError(t, err)
	}
}
