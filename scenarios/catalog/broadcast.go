package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// A broadcast is a tree, a correction and how they go together: one value of each table.
var (
	starts = line.Choices[bool]{{"sync", false}, {"overlapped", true}}
	early  = line.Choices[bool]{{"join", false}, {"rest", true}}
	rings  = line.Choices[bool]{{"ring", false}, {"chain", true}}
)

var arrangementKeys = []line.Key{
	starts.Key("start", "when correction begins"),
	early.Key("early", "overlapped: what ranks do that it reaches first"),
	rings.Key("ring", "whether the root closes the circle of ranks").Trying(ringsTried),
}

// ringsTried are those that go with the correction: failure-proof correction has no end.
func ringsTried(s line.Settings) []string {
	if s.Text("correction") == "failure-proof" {
		return []string{rings[0].Name}
	}
	return rings.Names()
}

const maxRepeat = 1 << 20

// maxPayload is the longest that a broadcast has, in bytes.
const maxPayload = 1 << 20

var broadcastProtocol = scenarios.Protocol{
	Name:    "broadcast",
	Summary: "one rank sends to all down a tree, then neighbours correct",
	Keys: slices.Concat([]line.Key{treeKey, orderKey, numberingKey, rootKey}, correctionKeys, arrangementKeys, []line.Key{
		line.NumberKey("repeat", 1, 1, maxRepeat, "broadcasts in a row").Trying(line.Numbers(1, 3)),
		line.AutoTimeKey("period", 0, uint64(clock.MaxCost), "ticks from one to the next; 0: at once"),
		line.NumberKey("bytes", 0, 0, maxPayload, "payload of the message").Trying(nil), // it changes nothing but times
	}),
	Idle: slices.Concat(treeIdle, correctionIdle(), []line.Idle{
		{Key: "period", Because: "repeat", If: func(s line.Settings) bool { return s.Int("repeat") == 1 }},
	}),
	Steps: []string{broadcast.StepColoured, broadcast.StepCorrection},
	Build: buildBroadcast,
}

func buildBroadcast(s line.Settings) (scenarios.Experiment, error) {
	options, err := broadcastOptions(s)
	if err != nil {
		return scenarios.Experiment{}, err
	}
	b, err := broadcast.New(s.LogP(), options)
	if err != nil {
		return scenarios.Experiment{}, err
	}
	if bytes := s.Int("bytes"); bytes > 1 && broadcastTiming(s) != untimed {
		return scenarios.Experiment{}, problems.New("broadcast", "bytes=%d, want 0 or 1, or start=overlapped and a correction without deadlines: those are for short messages", bytes)
	}
	e := spreading(b.Program(payload(s)), b.Tree.Root(), broadcastTiming(s), broadcastPromises(s))
	e.Measures.CorrectionStart = b.CorrectionStart()
	e.Memory = memoryOfLists(s, s.Text("correction") == "failure-proof")
	if s.Int("repeat") > 1 {
		err = repeated(s, b, &e)
	}
	return e, err
}

// payload is a message of as many bytes as the line says.
func payload(s line.Settings) mailbox.Message {
	return mailbox.Message{Payload: strings.Repeat("x", s.Int("bytes"))}
}

// broadcastOptions puts a tree and a correction together.
func broadcastOptions(s line.Settings) (broadcast.Options, error) {
	t, err := buildTree(s)
	if err != nil {
		return broadcast.Options{}, err
	}
	c, err := corrections.Of(s, "correction").make(s)
	if err != nil {
		return broadcast.Options{}, err
	}
	return broadcast.Options{
		Tree:       t,
		Correction: c,
		Overlapped: starts.Of(s, "start") || !uses(s, "start"),
		EarlyRest:  early.Of(s, "early"),
		Chain:      rings.Of(s, "ring"),
	}, nil
}

// broadcastPromises are those of a single broadcast.
func broadcastPromises(s line.Settings) []guarantee.Guarantee {
	needs, stands := corrections.Of(s, "correction").standing(s, []string{broadcast.StepColoured})
	if s.Text("correction") == "ack" {
		return guarantee.Spreading(needs, stands) // ranks wait for their children
	}
	return spread(needs, stands)
}

// broadcastTiming is what a broadcast takes for granted: trees and most corrections, nothing.
func broadcastTiming(s line.Settings) scenarios.Timing {
	switch {
	case uses(s, "start") && !starts.Of(s, "start"):
		return withinLatency("start=sync begins to correct when the tree must have reached everybody")
	case corrections.Of(s, "correction").timed:
		return withinLatency(fmt.Sprintf("correction=%s gives up waiting after a while", s.Text("correction")))
	}
	return untimed
}

// repeated makes a series of the broadcast.
func repeated(s line.Settings, b *broadcast.Broadcast, e *scenarios.Experiment) error {
	usual := clock.Time(0)
	if !b.Overlapped {
		usual = b.Longest()
	}
	series, err := broadcast.NewSeries(b, s.Int("repeat"), line.AutoNumber(s, "period", usual))
	if err != nil {
		return fmt.Errorf("repeat=%s period=%s: %w", s.Text("repeat"), s.Text("period"), err)
	}
	measure := &latencies{broadcasts: s.Int("repeat"), root: b.Tree.Root(), unit: s.Unit()}
	e.Program = series.Program(payload(s), measure.watch())
	e.State = measure.state(s.Int("P"))
	e.Memory.Everywhere += seriesBytes
	e.Measures = scenarios.Measures{Details: measure.details, Latencies: func(rep *report.Report) []float64 {
		all, _ := measure.times(rep)
		return all
	}}
	e.Promises = seriesPromises(s, measure, b.Overlapped)
	return nil
}

// seriesPromises are those of broadcasts in a row. If the root fails, nobody begins those that follow. Synchronized ones
// do not run into each other: the usual period is long enough unless ranks are slow, messages late, or ranks fail meanwhile.
func seriesPromises(s line.Settings, measure *latencies, overlapped bool) []guarantee.Guarantee {
	unheard := []string{broadcast.StepColoured}
	needs, stands := corrections.Of(s, "correction").standing(s, unheard)
	stands = append(stands, guarantee.RootsLive)
	all := []guarantee.Guarantee{
		guarantee.Promise{Guarantee: measure.reachesAll(), Premises: needs, Stands: stands},
		guarantee.Promise{Guarantee: guarantee.NoDeadlock{}, Premises: needs, Stands: stands},
		guarantee.Integrity{}, guarantee.OnlyColouredRanksSend{},
		guarantee.NoDuplicates{Operations: s.Int("repeat"), ByEpoch: true},
	}
	if !overlapped {
		punctual := append(slices.Clone(stands), failOnceHeard(0, unheard...), guarantee.NobodySlow, guarantee.InTime)
		all = append(all, guarantee.Promise{Guarantee: measure.inTime(), Premises: needs, Stands: punctual, Safety: true})
	}
	return all
}
