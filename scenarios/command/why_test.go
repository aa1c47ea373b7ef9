package command

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// story is why a broadcast without correction does not stand that its rank 1 is down.
const story = `because, compared with the run without crash:1@t0:
    rank 3 waits for ever in Recv(kind=tree..sos epoch=0) since t=0
    it did not get message tree from rank 1, which would have come at t=8
    rank 1 did not send message tree to rank 3: it crashed at t=0 (crash:1@t0)
without crash:1@t0: holds
`

func TestWhyExplainsWhatIsBroken(t *testing.T) {
	for words, want := range map[string]string{
		"run broadcast P=4 correction=none faults=crash:1":                           "\n\n" + story + "\nreplay: ",
		"replay broadcast P=4 correction=none faults=crash:1":                        "\n\n" + story + "\nreplay: ",
		"shrink broadcast P=30 correction=none faults=crash:1":                       "crashed at t=0)\n" + story,
		"explore broadcast P=4 correction=none --kinds crash":                        "crashed at t=0)\n" + story,
		"fuzz broadcast P=4 correction=none seed=0 --kinds crash --runs 50 --seed 1": "crashed at t=0)\n" + story,
	} {
		for _, asked := range [][]string{nil, {"--why"}} {
			got := mangrove(append(strings.Fields(words), asked...)...)
			assert.Equal(t, statusBroken, got.status, words)
			assert.Contains(t, got.stdout, want, words)
		}
		assert.NotContains(t, mangrove(append(strings.Fields(words), "--why=false")...).stdout, "because", words)
		assert.NotContains(t, mangrove(append(strings.Fields(words), "--json")...).stdout, `"why"`, words)
		got := mangrove(append(strings.Fields(words), "--why", "--json")...)
		assert.Contains(t, got.stdout, `"why":{"promise":"reaches every live rank","beside":"without crash:1@t0","because":[`, words)
	}
	assert.NotContains(t, mangrove("run", "broadcast", "P=4", "--why").stdout, "because")
}

// Nobody waits for what was not asked for: large runs are explained if that is wanted.
func TestLargeRunsAreExplainedIfThatIsAskedFor(t *testing.T) {
	const small, large = "run broadcast P=1024 correction=none faults=crash:1", "run broadcast P=1025 correction=none faults=crash:1"
	assert.Contains(t, mangrove(strings.Fields(small)...).stdout, "because")
	assert.NotContains(t, mangrove(strings.Fields(large)...).stdout, "because")
	assert.Contains(t, mangrove(strings.Fields(large+" --why")...).stdout, "because")
}

// fragile is a protocol that any fault breaks. Its runs are counted, and those after so many do not end before somebody is interrupted.
func fragile(runs *int, most int, interrupt func()) scenarios.Registry {
	return scenarios.Registry{{Name: "fragile", Summary: "is broken by any fault", Build: func(line.Settings) (scenarios.Experiment, error) {
		return scenarios.Experiment{
			Program: protocols.Program{Main: func(p protocols.Proc) {
				if p.Rank() > 0 {
					return
				}
				if *runs++; *runs <= most {
					return
				}
				interrupt()
				for {
					p.WaitUntil(p.Now() + 1)
				}
			}},
			Promises: []guarantee.Guarantee{guarantee.Func("nobody fails", false, func(r guarantee.Run) (bool, string) {
				return r.Report.NobodyFailed(), "somebody has"
			})},
		}, nil
	}}}
}

// Whoever interrupts an explanation sees what was found before it, and is not told of an interrupt of what nobody has asked for.
func TestAnExplanationThatIsInterruptedTakesNothingWithIt(t *testing.T) {
	for _, words := range []string{"run fragile faults=crash:1", "shrink fragile faults=crash:1,crash:2"} {
		before := 0
		a := app{name: "rings", registry: fragile(&before, 1000, nil), stdout: io.Discard, stderr: io.Discard}
		assert.Equal(t, statusBroken, a.run(t.Context(), strings.Fields(words+" --why=false")))
		for _, why := range []string{"", " --why"} {
			ctx, interrupt := context.WithCancel(t.Context())
			runs := 0
			var stdout, stderr strings.Builder
			a := app{name: "rings", registry: fragile(&runs, before, interrupt), stdout: &stdout, stderr: &stderr}
			status := a.run(ctx, strings.Fields(words+why))
			assert.Greater(t, runs, before, "it was explained")
			if why != "" {
				assert.Equal(t, statusInterrupted, status, words)
				continue
			}
			assert.Equal(t, statusBroken, status, words)
			assert.Contains(t, stdout.String(), "nobody fails", words)
			assert.NotContains(t, stdout.String()+stderr.String(), "because")
			assert.NotContains(t, strings.ToLower(stdout.String()+stderr.String()), "interrupted")
		}
	}
}
