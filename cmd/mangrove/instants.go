package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// instants say when something happens in an exploration: by when ranks fail, how long after that they come
// back, and when ranks are cut off.
type instants struct {
	Before int64    `json:"before,omitempty"` // 0: at any time
	Rejoin tickList `json:"rejoin,omitempty"` // how long after a failure
	Cut    tickList `json:"cut,omitempty"`    // when
}

func (i *instants) register(cmd *cobra.Command) {
	numberFlag(cmd, &i.Before, "before", 1, int64(clock.MaxCost), "let ranks fail before tick `n` only")
	cmd.Flags().Var(&ticksFlag{&i.Rejoin, "rejoin", 1}, "rejoin", "let failed ranks come back after `ticks`, such as 20,50")
	cmd.Flags().Var(&ticksFlag{&i.Cut, "cut", 0}, "cut", "cut off each rank at these `ticks`, such as 0,30")
}

// allowed refuses ranks that come back where they cannot.
func (i *instants) allowed(run *scenarios.Run) error {
	if len(i.Rejoin) > 0 {
		return mayReturn(run, i.Rejoin.typed("rejoin"))
	}
	return nil
}

// mayReturn refuses a flag if the ranks of a protocol cannot come back.
func mayReturn(run *scenarios.Run, flag string) error {
	if p := run.Protocol(); !p.Rejoins {
		return fmt.Errorf("%s: %s does not let ranks come back", flag, p.Name)
	}
	return nil
}

// mayReturn refuses the kind rejoin where ranks cannot come back, or have never left.
func (f *searchFlags) mayReturn(run *scenarios.Run) error {
	switch {
	case !slices.Contains(f.kinds, faults.Rejoin):
		return nil
	case !slices.ContainsFunc(f.kinds, faults.Kind.Stops):
		return fmt.Errorf("--kinds %s: want crash or hang, too: nobody else comes back", listKinds(f.kinds))
	}
	return mayReturn(run, "--kinds "+listKinds(f.kinds))
}

// who says what happens besides failures; "" if nothing does.
func (i *instants) who() string {
	text := ""
	if i.Before > 0 {
		text += fmt.Sprintf(" before t=%d", i.Before)
	}
	if len(i.Rejoin) > 0 {
		text += ", back after " + i.Rejoin.String() + " ticks"
	}
	if len(i.Cut) > 0 {
		text += "; cut off at t=" + i.Cut.String()
	}
	return text
}

// tickList is a list of times, ascending and each once.
type tickList []clock.Time

func (l tickList) String() string {
	var all []string
	for _, t := range l {
		all = append(all, t.String())
	}
	return strings.Join(all, ",")
}

// typed is the list as a flag, or that there is none.
func (l tickList) typed(flag string) string {
	if len(l) == 0 {
		return "no --" + flag
	}
	return "--" + flag + " " + l.String()
}

// ticksFlag is a flag for such a list.
type ticksFlag struct {
	value *tickList
	flag  string
	low   clock.Time
}

func (f *ticksFlag) String() string { return f.value.String() }
func (f *ticksFlag) Type() string   { return "ticks" }

func (f *ticksFlag) Set(text string) error {
	var all tickList
	for digits := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || clock.Time(n) < f.low || clock.Time(n) > clock.MaxCost {
			return &flagError{f.flag, text, fmt.Sprintf("ticks from %d to %d, with commas between them", f.low, clock.MaxCost)}
		}
		all = append(all, clock.Time(n))
	}
	slices.Sort(all)
	*f.value = slices.Compact(all)
	return nil
}
