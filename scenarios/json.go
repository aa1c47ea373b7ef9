package scenarios

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/mangrove-emu/mangrove/check/cause"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// MarshalJSON shows the outcome with the whole report in it. Instants are numbers of
// ticks, and null where something never happened; wall time is in nanoseconds, and so is what
// a tick stands for, if anything. Lists without elements are [], the hash and the schedules are
// strings. L of the machine is the longest latency on its network.
func (o *Outcome) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	err := o.WriteJSON(&text)
	return text.Bytes(), err
}

// WriteJSON writes what MarshalJSON returns, a few ranks at a time: there may be more than fit into memory. If their results are in several parts, all
// parts must write, and part 0 writes all.
func (o *Outcome) WriteJSON(w io.Writer) error {
	text, err := o.jsonFrame()
	if err != nil {
		return err
	}
	before, after, _ := bytes.Cut(text, []byte(placeOfRanks))
	_, err = w.Write(before)
	err = errors.Join(err, writeRanks(w, o.Report))
	_, last := w.Write(after)
	return errors.Join(err, last)
}

// placeOfRanks stands for the ranks in the text around them. Nothing else reads like that: quotes in other strings have a backslash before them.
const placeOfRanks = `"ranks":"here"`

// jsonFrame is all but the results of ranks.
func (o *Outcome) jsonFrame() ([]byte, error) {
	return json.Marshal(struct {
		Line       string              `json:"line"`
		Held       bool                `json:"held"` // for scripts: the verdict is "held"
		Checked    bool                `json:"checked,omitempty"`
		Verdict    guarantee.Value     `json:"verdict"`
		Tick       line.Unit           `json:"tick_ns,omitempty"`
		Guarantees []guarantee.Verdict `json:"guarantees"`
		Details    []Detail            `json:"figures"`
		Answer     *Answer             `json:"answer,omitempty"`
		Why        *cause.Explanation  `json:"why,omitempty"`
		Notes      []string            `json:"notes"`
		Correction *Correction         `json:"correction,omitempty"`
		Completion *instant            `json:"completion,omitempty"`
		Attempts   int                 `json:"attempts,omitempty"`
		Costs      []TeamCost          `json:"costs,omitempty"`
		Processes  int                 `json:"processes,omitempty"`
		Late       clock.Time          `json:"late,omitempty"`
		TooLate    bool                `json:"too_late,omitempty"`
		Report     jsonReport          `json:"report"`
	}{o.Line, o.Verdict() == guarantee.Held, o.Checked, o.Verdict(), o.Unit, list(o.Guarantees), list(o.Details), o.Answer, o.Why, list(o.Notes),
		o.Correction, o.Completion.instant(), o.Completion.Attempts, o.Costs, o.Processes, o.Late, o.Verdict() == guarantee.TooLate, newJSONReport(o.Report, o.Network)})
}

// jsonReport has its own form of some fields of a report. The other ones are those of the
// embedded report, so that what is added to a report is shown without being named here.
type jsonReport struct {
	report.Report
	// What only the emulator records. On processes it is left out.
	Windows      *int64       `json:"windows,omitempty"`
	Wakes        *int64       `json:"wakes,omitempty"`
	Hash         *report.Hash `json:"hash,omitempty"`
	BytesPerRank *int64       `json:"bytes_per_rank,omitempty"`

	Machine jsonMachine `json:"machine"`
	Ranks   string      `json:"ranks"`
}

// jsonMachine names the parameters as a line does.
type jsonMachine struct {
	Ranks    int        `json:"P"`
	Latency  clock.Time `json:"L"`
	Overhead clock.Time `json:"o"`
	Gap      clock.Time `json:"g"`
	PerByte  clock.Time `json:"G"`

	ManyReceives bool   `json:"many_receives,omitempty"`
	Network      string `json:"network,omitempty"` // in words, unless it is uniform
}

// instant is that of the result, for JSON; nil if the protocol computes nothing.
func (c Completion) instant() *instant {
	if c.Attempts == 0 {
		return nil
	}
	at := instant(c.At)
	return &at
}

// instant is a time that may be clock.Never.
type instant clock.Time

func (t instant) MarshalJSON() ([]byte, error) {
	if clock.Time(t) == clock.Never {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(t), 10), nil
}

func newJSONReport(rep *report.Report, network clock.Network) jsonReport {
	p := rep.LogP
	j := jsonReport{
		Report:  *rep,
		Machine: jsonMachine{p.Ranks, p.Latency, p.Overhead, p.Gap, p.PerByte, p.ManyReceives, ""},
		Ranks:   "here",
	}
	if !rep.Processes {
		j.Windows, j.Wakes, j.Hash, j.BytesPerRank = &rep.Windows, &rep.Wakes, &rep.Hash, &rep.BytesPerRank
	}
	if network != nil {
		j.Machine.Network = fmt.Sprint(network)
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
