package scenarios

import (
	"encoding/json"
	"strconv"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
)

// MarshalJSON shows the outcome with the whole report in it. Instants are numbers of
// ticks, and null where something never happened; wall time is in nanoseconds. Lists
// without elements are [], the hash and the schedules are strings.
func (o *Outcome) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Line       string      `json:"line"`
		Held       bool        `json:"held"`
		Checked    bool        `json:"checked,omitempty"`
		Guarantees []Guarantee `json:"guarantees"`
		Figures    []Figure    `json:"figures"`
		Notes      []string    `json:"notes"`
		Report     jsonReport  `json:"report"`
	}{o.Line, o.Held(), o.Checked, list(o.Guarantees), list(o.Figures), list(o.Notes), newJSONReport(o.Report)})
}

// jsonReport has its own form of some fields of a report. The other ones are those of the
// embedded report, so that what is added to a report is shown without being named here.
type jsonReport struct {
	emu.Report
	Machine jsonMachine `json:"machine"`
	Ranks   []jsonRank  `json:"ranks"`
}

// jsonMachine names the parameters as a line does.
type jsonMachine struct {
	Ranks    int        `json:"P"`
	Latency  clock.Time `json:"L"`
	Overhead clock.Time `json:"o"`
	Gap      clock.Time `json:"g"`
	PerByte  clock.Time `json:"G"`

	ManyReceives bool `json:"many_receives,omitempty"`
}

type jsonRank struct {
	Outcome  emu.Outcome `json:"outcome"`
	Coloured instant     `json:"coloured"`
	Exit     instant     `json:"exit"`
}

// instant is a time that may be clock.Never.
type instant clock.Time

func (t instant) MarshalJSON() ([]byte, error) {
	if clock.Time(t) == clock.Never {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(t), 10), nil
}

func newJSONReport(rep *emu.Report) jsonReport {
	p := rep.LogP
	j := jsonReport{
		Report:  *rep,
		Machine: jsonMachine{p.Ranks, p.Latency, p.Overhead, p.Gap, p.PerByte, p.ManyReceives},
		Ranks:   make([]jsonRank, len(rep.Ranks)),
	}
	for i, r := range rep.Ranks {
		j.Ranks[i] = jsonRank{r.Outcome, instant(r.Coloured), instant(r.Exit)}
	}
	j.Failed = list(rep.Failed)
	j.Unreached = list(rep.Unreached)
	j.Deadlocks = list(rep.Deadlocks)
	return j
}

// list makes an empty list of none.
func list[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}
