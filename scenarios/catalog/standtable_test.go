package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// strained are lines small enough that what a network may do to their messages can be explored: every protocol, with each value of the keys
// that its promises depend on.
var strained = lineFamilies{
	{"broadcast P=5", "correction", withoutChance},
	{"broadcast P=8 numbering=in-order d=2", "correction", withChance},
	{"broadcast P=5 start=overlapped", "correction", withoutChance},
	{"broadcast P=8 numbering=in-order d=2 start=overlapped", "correction", withChance},
	{"broadcast P=4 repeat=2", "correction", withoutChance},
	{"broadcast P=8 numbering=in-order d=2 repeat=2", "correction", withChance},
	{"broadcast P=4 repeat=2 start=overlapped", "correction", withoutChance},
	{"broadcast P=8 numbering=in-order d=2 repeat=2 start=overlapped", "correction", withChance},
	{"multitree P=5 trees=3 k=3", "", nil},
	{"gossip P=6", "variant", gossipVariants.Names()},
	{"gossip P=6 variant=ccg start=sharp T=10", "", nil},
	{"big P=8", "", nil},
	{"bfb P=4", "notices", noticed.Names()},
	{"reduce P=5", "", nil},
	{"allreduce P=4", "correction", withoutChance},
	{"allreduce P=8 numbering=in-order d=2", "correction", withChance},
	{"membership P=4 members=3 join=3@t20 until=250", "minority", minorities.Names()},
	{"ulfm P=3 calls=2", "agreement", agreements.Names()},
	{"ulfm op=shrink P=3", "agreement", agreements.Names()},
	{"ulfm op=revoke P=3", "revoke", revocations.Names()},
	{"collective P=3 op=allreduce", "strategy", teamStrategies.Names()},
	{"collective P=3 op=allreduce", "detector", detectors.Names()},
	{"collective P=3", "op", collectiveCalls.Names()},
	{"samplesort P=2 n=100", "strategy", teamStrategies.Names()},
	{"tpch-q3 P=2 sf=0.0001", "strategy", teamStrategies.Names()},
	{"calibration P=3 rounds=2 warmup=1 burst=2 bursts=2 largest=2 trips=1 crowd=1", "", nil},
}

// Corrections that close gaps by chance only, which show in larger groups, and the others.
var (
	withChance    = []string{"opportunistic", "optimized", "cautious"}
	withoutChance = slices.DeleteFunc(corrections.Names(), func(name string) bool { return slices.Contains(withChance, name) })
)

// strain is what a network does to messages: a column of the table.
type strain struct {
	title string
	words string // of the line
	seeds uint64
	limit func(*search.ExploreOptions) *int // of so many messages; nil if the words do it all
}

var strains = []strain{
	{"exact LogP", "", 1, nil},
	{"jitter within a bound", "jitter=uniform:0..3", 5, nil},
	{"any delays", "", 1, func(o *search.ExploreOptions) *int { return &o.Delays }},
	{"losses", "", 1, func(o *search.ExploreOptions) *int { return &o.Losses }},
	{"duplicates", "", 1, func(o *search.ExploreOptions) *int { return &o.Duplicates }},
}

// quickly runs what the strain does to a line: to one message at a time, and nobody fails.
func (s *strain) quickly(t *testing.T, line string, noted *endurances) {
	if s.limit != nil {
		s.explore(t, line, 1, 0, noted)
		return
	}
	for seed := range s.seeds {
		run := mustParse(t, fmt.Sprintf("%s %s seed=%d", line, s.words, seed))
		outcome, err := run.Execute(t.Context(), scenarios.Options{Trace: emu.TraceEvents, Workers: 1})
		require.NoError(t, err, line)
		noted.note(outcome.Report, outcome.Guarantees, false)
	}
}

// explore runs all that the strain does to a line, to so many messages and with so many failures at most.
func (s *strain) explore(t *testing.T, line string, messages, failures int, noted *endurances) {
	subject := mustParse(t, line+" "+s.words).Subject()
	subject.Events = true
	newTrial := subject.NewTrial
	subject.NewTrial = func() (search.Trial, error) {
		trial, err := newTrial()
		judge := trial.Judge
		trial.Judge = func(rep *report.Report) []guarantee.Verdict {
			verdicts := judge(rep)
			noted.note(rep, verdicts, s.limit != nil)
			return verdicts
		}
		return trial, err
	}
	options := search.ExploreOptions{Faults: failures, Seeds: int(s.seeds)}
	if s.limit != nil {
		*s.limit(&options) = messages
	}
	_, err := search.Explore(t.Context(), subject, options)
	require.NoError(t, err, line)
}

// endurances are what became of the promises of a line in all runs.
type endurances struct {
	mutex sync.Mutex
	of    map[string]*endurance // by the name of the promise
}

func enduranceOf(promises []guarantee.Promise) *endurances {
	e := &endurances{of: make(map[string]*endurance)}
	for _, p := range promises {
		e.of[p.Name()] = &endurance{promise: p}
	}
	return e
}

// endurance is what became of one promise.
type endurance struct {
	promise guarantee.Promise
	held    int
	lucky   string          // a premise of what the algorithm claims to stand that was not met while it held
	unmet   string          // a premise
	broken  faults.Schedule // the smallest that breaks it
	beyond  string          // what it does so beyond of; "" if within what is claimed
}

// note adds a run. Where messages are meant, it counts only if something has happened to one. What is broken beyond what is claimed counts
// only if nobody has failed, as otherwise the failure may have done it.
func (f *endurances) note(rep *report.Report, verdicts []guarantee.Verdict, messages bool) {
	happened := false
	for fault := range rep.Fired() {
		happened = happened || fault.Kind.OfMessages()
	}
	if messages && !happened {
		return
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, v := range verdicts {
		f.of[v.Name].note(rep, v)
	}
}

func (f *endurance) note(rep *report.Report, v guarantee.Verdict) {
	switch premise, _, _ := strings.Cut(v.Evidence, " ("); {
	case v.Value == guarantee.Held:
		f.held++
		for _, p := range f.promise.Stands {
			if len(rep.Failed) == 0 && f.lucky == "" && p.Unmet(guarantee.Run{Report: rep}) != "" {
				f.lucky = p.Says
			}
		}
	case v.Value == guarantee.NotClaimed && len(rep.Failed) == 0:
		f.unmet = premise
	case v.Value == guarantee.Broken && (v.Beyond == "" || len(rep.Failed) == 0):
		if f.broken == nil || v.Beyond == "" && f.beyond != "" || (v.Beyond == "") == (f.beyond == "") && smaller(rep.Faults, f.broken) {
			f.broken, f.beyond = slices.Clone(rep.Faults), v.Beyond
		}
	}
}

// smaller orders schedules: fewer faults, then shorter delays, then by their texts.
func smaller(a, b faults.Schedule) bool {
	total := func(s faults.Schedule) (sum clock.Time) {
		for _, f := range s {
			sum += f.Delay
		}
		return sum
	}
	return cmp.Or(len(a)-len(b), int(total(a)-total(b)), strings.Compare(a.String(), b.String())) < 0
}

// cell is what the table says about a promise, and the smallest line that breaks it.
func (f *endurance) cell(line string) (text, breaks string) {
	needs, _ := f.promise.Terms()
	switch {
	case f.broken != nil && f.beyond == "":
		return "**broken**", line + " faults=" + f.broken.String()
	case f.broken != nil:
		return "beyond what is claimed", line + " faults=" + f.broken.String()
	case f.held > 0 && f.lucky != "":
		return "held, but not claimed: " + f.lucky, ""
	case f.held > 0:
		return "held", ""
	case f.unmet == guarantee.Undisturbed.Says:
		return "not promised: " + guarantee.EveryMessageArrives.Says, ""
	case slices.Contains(needs, f.unmet):
		return "not promised: " + f.unmet, ""
	}
	return "nothing to judge: " + f.unmet, ""
}

// stood is what became of a promise under all strains.
type stood struct {
	name   string
	cells  []string
	breaks []string // the smallest line under each strain; "" if none
	lines  []oneLine
}

// whatStands explores all lines. It is quick: one message at a time, and nobody fails.
func whatStands(t *testing.T) (all []stood) {
	for i, family := range strained {
		for _, value := range family.all() {
			for _, s := range promisesUnderStrain(t, family.line(value)) {
				place := slices.IndexFunc(all, func(other stood) bool { return other.name == s.name && slices.Equal(other.cells, s.cells) })
				if place < 0 {
					place = len(all)
					all = append(all, s)
				}
				all[place].lines = append(all[place].lines, oneLine{i, value})
			}
		}
	}
	return all
}

func promisesUnderStrain(t *testing.T, line string) (all []stood) {
	promises := mustParse(t, line).Promises()
	for _, p := range promises {
		all = append(all, stood{name: promiseName(p)})
	}
	for i := range strains {
		noted := enduranceOf(promises)
		strains[i].quickly(t, line, noted)
		for j, p := range promises {
			cell, breaks := noted.of[p.Name()].cell(line)
			all[j].cells, all[j].breaks = append(all[j].cells, cell), append(all[j].breaks, breaks)
		}
		requireBreaks(t, promises, all, i)
	}
	return all
}

// requireBreaks runs the lines that break something under a strain: each breaks what it is said to, and nothing that is said to hold.
func requireBreaks(t *testing.T, promises []guarantee.Promise, all []stood, strain int) {
	for i := range all {
		line := all[i].breaks[strain]
		if line == "" {
			continue
		}
		verdicts := verdictsOn(t, line)
		require.Equal(t, guarantee.Broken, verdicts[promises[i].Name()].Value, "%s: %s", line, promises[i].Name())
		for j, p := range promises {
			if all[j].breaks[strain] == "" {
				require.NotEqual(t, guarantee.Broken, verdicts[p.Name()].Value, "%s: %s", line, p.Name())
			}
		}
	}
}

// standTable is the table. Promises of the same lines that stand the same share a row.
func standTable(all []stood) string {
	var order []string
	names := make(map[string][]string)
	for _, s := range all {
		cells := slices.Clone(s.cells)
		for i, line := range s.breaks {
			if line != "" {
				cells[i] += ": `" + line + "`"
			}
		}
		row := strings.Join(strained.titles(s.lines), "<br>") + " | %s | " + strings.Join(cells, " | ")
		if names[row] == nil {
			order = append(order, row)
		}
		names[row] = append(names[row], s.name)
	}
	var b strings.Builder
	b.WriteString("| lines | promise |")
	for _, s := range strains {
		b.WriteString(" " + s.title + " |")
	}
	b.WriteString("\n" + strings.Repeat("|---", len(strains)+2) + "|\n")
	for _, row := range order {
		fmt.Fprintf(&b, "| "+row+" |\n", strings.Join(names[row], "<br>"))
	}
	return b.String()
}

// The table of what protocols stand is what comes of exploring them.
func TestTheTableOfWhatProtocolsStandIsExplored(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	requireTable(t, "<!-- The table is written by: go test ./scenarios/catalog -run WhatProtocolsStand -update -->\n", standTable(whatStands(t)))
}

// further are explorations that leave nothing out for more messages, or for messages and failures at once. docs/guarantees.md lists them.
var further = []struct {
	line                                 string
	failures, delays, losses, duplicates int
	before                               clock.Time
}{
	{line: "broadcast P=6", delays: 2},
	{line: "broadcast P=6", duplicates: 2},
	{line: "broadcast P=6", losses: 2},
	{line: "broadcast P=5", failures: 1, delays: 1},
	{line: "broadcast P=5 start=overlapped", delays: 2},
	{line: "broadcast P=5 correction=failure-proof", delays: 2},
	{line: "broadcast P=4 correction=failure-proof", failures: 1, delays: 1},
	{line: "broadcast P=5 correction=delayed", delays: 2},
	{line: "broadcast P=4 repeat=2 start=overlapped", delays: 2},
	{line: "multitree P=6 trees=3 k=3", delays: 2},
	{line: "multitree P=5 trees=3 k=3", failures: 2, delays: 1},
	{line: "big P=8", failures: 1, delays: 1},
	{line: "gossip P=6 partners=fixed", delays: 2},
	{line: "gossip P=6 variant=fcg partners=fixed", failures: 1, delays: 1},
	{line: "bfb P=4", failures: 1, delays: 1},
	{line: "bfb P=4", failures: 1, duplicates: 1},
	{line: "bfb P=4", failures: 1, losses: 1},
	{line: "reduce P=6", delays: 2},
	{line: "reduce P=6", failures: 1, duplicates: 1},
	{line: "reduce P=6", losses: 2},
	{line: "allreduce P=4", failures: 1, duplicates: 1},
	{line: "membership P=3 members=2 join=2@t20 until=120", delays: 2, before: 40},
	{line: "membership P=4 until=300", losses: 2},
	{line: "membership P=3 members=2 join=2@t20 until=120", duplicates: 2, before: 40},
	{line: "membership P=4 until=300", failures: 1, delays: 1, before: 60},
	{line: "membership P=4 until=300", failures: 1, duplicates: 1, before: 120},
	{line: "collective P=4 op=reduce", failures: 1, delays: 1},
	{line: "collective P=3 op=allreduce", failures: 1, duplicates: 1},
	{line: "collective P=3 op=alltoall", failures: 1, delays: 1},
	{line: "collective P=3 op=broadcast strategy=optimistic", failures: 2, delays: 1},
	{line: "samplesort P=2 n=100", failures: 1, delays: 1},
	{line: "tpch-q3 P=2 sf=0.0001", failures: 1, delays: 1},
}

// docs/guarantees.md lists what was explored further, and with -thorough it is explored again: nothing is broken within what is claimed.
func TestWhatProtocolsStandWasExploredFurther(t *testing.T) {
	var list strings.Builder
	list.WriteString("\n") // a blank line before and after makes it a list of commands
	for _, e := range further {
		words := "mangrove explore " + e.line
		for _, limit := range []struct {
			name string
			most int
		}{{"faults", e.failures}, {"delays", e.delays}, {"losses", e.losses}, {"duplicates", e.duplicates}} {
			if limit.most > 0 {
				words += fmt.Sprintf(" '%s<=%d'", limit.name, limit.most)
			}
		}
		if e.before > 0 {
			words += fmt.Sprintf(" --before %d", e.before)
		}
		list.WriteString("    " + words + "\n")
		if !thorough.All() {
			continue
		}
		found, err := search.Explore(t.Context(), mustParse(t, e.line).Subject(), search.ExploreOptions{
			Faults: e.failures, Delays: e.delays, Losses: e.losses, Duplicates: e.duplicates, Before: e.before,
		})
		require.NoError(t, err, words)
		for _, v := range found.Violations {
			for _, broken := range v.Broken {
				assert.NotEmpty(t, broken.Beyond, "%s: %s: %s", words, v.Schedule, broken.Name)
			}
		}
	}
	requireTable(t, "<!-- The list is written by: go test ./scenarios/catalog -run WhatProtocolsStand -update -->\n", list.String()+"\n")
}
