package catalog

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// What the keys of a membership service choose from.
var (
	inquiries  = line.Choices[membership.Inquiry]{{"successor", membership.Successor}, {"random", membership.Random}, {"none", membership.Nobody}}
	returns    = line.Choices[bool]{{"return", false}, {"stay", true}}
	minorities = line.Choices[bool]{{"continue", false}, {"abort", true}}
)

var membershipProtocol = scenarios.Protocol{
	Name:    "membership",
	Summary: "views of a group that all members agree on, after failures and joins",
	Keys: []line.Key{
		childrenKey,
		line.AutoKey("members", 1, clock.MaxRanks, "ranks that are members from the start; auto: all").Trying(membersTried),
		line.TimeKey("compute", 0, 0, uint64(clock.MaxCost), "ticks to recalculate a view, O_cp").Trying(line.Numbers(0, 9)),
		line.AutoTimeKey("timeout", 1, uint64(clock.MaxCost), "ticks to wait for an answer, per level").Trying(timeoutsTried),
		inquiries.Key("inquire", "whom ranks ask how they are").Trying(line.Mostly(inquiries[0].Name, inquiries.Names()...)),
		line.AutoTimeKey("every", 1, uint64(clock.MaxCost), "ticks from one inquiry to the next").Trying(line.Words("60", "150", "400")),
		askKey, joinKey,
		returns.Key("excluded", "what ranks do that live and are taken for failed").Trying(line.Mostly(returns[0].Name, returns.Names()...)),
		minorities.Key("minority", "what ranks do if half of the members or more are gone").Trying(line.Mostly(minorities[0].Name, minorities.Names()...)),
		line.AutoTimeKey("until", 1, uint64(clock.MaxCost), "when the service ends").Trying(endsTried),
	},
	Idle: []line.Idle{
		{Key: "every", Because: "inquire", If: func(s line.Settings) bool { return inquiries.Of(s, "inquire") == membership.Nobody }},
	},
	Rejoins: true,
	Steps: []string{
		membership.StepSuspect, membership.StepRegroup, membership.StepInstall, membership.StepStable,
		membership.StepJoin, membership.StepExcluded, membership.StepFound,
	},
	// Ranks are asked after 60 ticks at the earliest; 256 times 3 is several times that.
	Fuzz: scenarios.Fuzz{Common: []string{"network", "seed"}, Scale: 3, Tries: map[string]line.Tries{
		"P":       line.Numbers(2, 12),
		"network": line.Mostly("uniform", "torus:2x2x3", "switch:2"),
	}},
	Build: buildMembership,
}

func buildMembership(s line.Settings) (scenarios.Experiment, error) {
	service, err := newMembership(s)
	if err != nil {
		return scenarios.Experiment{}, err
	}
	m := membershipDetails{membershipState(service), service, s}
	return scenarios.Experiment{
		Program:   protocols.Program{Main: service.Run, KindName: membership.KindName},
		Cuts:      service.Options().Abort,
		Timing:    onAnyNetwork,
		Promises:  membershipPromises(s, service),
		Reduction: true,
		Notes:     membershipNotes(s, service.Options().Until),
		Chosen:    map[string]string{"until": fmt.Sprint(service.Options().Until)},
		Brief:     oneRound(s, service),
		State:     m,
		Memory:    memoryOfMembership,
		Measures:  scenarios.Measures{Details: m.all},
	}, nil
}

// oneRound ends the service when all ranks have been asked once, unless the line says when it ends.
func oneRound(s line.Settings, service *membership.Service) map[string]string {
	if !isAuto(s, "until") {
		return nil
	}
	o := service.Options()
	return map[string]string{"until": fmt.Sprint(min(o.Until, lastPlanned(o)+o.Every+2*o.Delivery))}
}

// usualChanges is for how many failures there is time, one after another, if the line does not say
// until when the service lasts.
const usualChanges = 4

// maxMembership is how many ranks a service may have. A record takes some 200 bytes, wherever the rank is.
const maxMembership = 1 << 24

// newMembership makes the service, and makes it last as long as it needs to.
func newMembership(s line.Settings) (*membership.Service, error) {
	if ranks := s.Int("P"); ranks > maxMembership {
		return nil, fmt.Errorf("\"P=%d\": every process has the records of all ranks, and plans for them one by one; want P up to %d", ranks, maxMembership)
	}
	o := membershipOptions(s)
	if err := checkPace(s, o.Every); err != nil {
		return nil, err
	}
	service, err := membership.New(s.Int("P"), o)
	if err != nil || !isAuto(s, "until") {
		return service, err
	}
	end := lastPlanned(o) + 3*o.Every + service.InTurn(usualChanges+len(o.Joins))
	noticed := o.Inquiry == membership.Successor
	if noticed && o.Abort {
		end = max(end, halfGone(service))
	}
	if noticed && len(s.Faults()) > 0 {
		end = max(end, expectedCalm(s, service))
	}
	o.Until = min(clock.MaxCost, end)
	return membership.New(s.Int("P"), o)
}

// halfGone is until all agree if every other rank, the root among them, is gone from the start.
func halfGone(service *membership.Service) clock.Time {
	var gone []membership.Event
	for rank := 0; rank < service.Group().Members; rank += 2 {
		gone = append(gone, membership.Event{Rank: rank})
	}
	return service.Bound(gone)
}

// membershipOptions reads the settings.
func membershipOptions(s line.Settings) membership.Options {
	machine := s.LogP()
	o := membership.Options{
		Children: s.Int("a"),
		Members:  line.AutoNumber(s, "members", 0),
		Delivery: machine.Delivery() + congestion(s),
		Spacing:  machine.Costs().Spacing,
		PerByte:  machine.PerByte,
		Compute:  s.Ticks("compute"),
		Until:    line.AutoNumber(s, "until", clock.Time(1)), // auto: depends on all others

		Inquiry:   inquiries.Of(s, "inquire"),
		Questions: line.Parsed(s, "ask", parseQuestions),
		Joins:     line.Parsed(s, "join", parseJoins),
		Stay:      returns.Of(s, "excluded"),
		Abort:     minorities.Of(s, "minority"),
	}
	o.Timeout = line.AutoNumber(s, "timeout", min(clock.MaxCost, o.UsualTimeout()))
	if o.Inquiry != membership.Nobody {
		o.Every = line.AutoNumber(s, "every", min(clock.MaxCost, o.Timeout.Times(8)))
	}
	return o
}

// checkPace refuses inquiries that come faster than a switch can pass them on, with their answers:
// messages would wait longer and longer.
func checkPace(s line.Settings, every clock.Time) error {
	if least := congestion(s).Times(2); every > 0 && every < least {
		return fmt.Errorf("every=%d ticks, want %d or more: the switch takes so long for an inquiry of each rank and the answers", every, least)
	}
	return nil
}

// congestion is how long a message may have to wait on the network if all ranks send at once.
func congestion(s line.Settings) clock.Time {
	if n, ok := s.Network().(clock.Contended); ok {
		_, service, _ := n.Bottleneck()
		return service.Times(s.Int("P"))
	}
	return 0
}

// lastPlanned is when the last question is asked or the last rank joins.
func lastPlanned(o membership.Options) (last clock.Time) {
	for _, j := range o.Joins {
		last = max(last, j.At)
	}
	for _, q := range o.Questions {
		last = max(last, q.At)
	}
	return last
}

// membershipNotes says which fault comes too late.
func membershipNotes(s line.Settings, until clock.Time) []string {
	for _, f := range s.Faults() {
		if f.At.Time >= until {
			return []string{fmt.Sprintf("%s comes after the end of the service, until=%d", f, until)}
		}
	}
	return nil
}
