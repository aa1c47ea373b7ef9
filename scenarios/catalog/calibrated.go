package catalog

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/calibration"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// CalibrationDetails are the parameters of an estimate, and what a round trip and its parts took, each
// with its interval, in ticks of a machine that have such a length.
func CalibrationDetails(e calibration.Estimate, unit line.Unit) []scenarios.Detail {
	var details []scenarios.Detail
	add := func(name string, text ...string) {
		details = append(details, scenarios.Detail{Name: name, Text: strings.Join(text, "")})
	}
	if e.Separable() {
		add("latency L", within(e.Latency, unit))
		add("overhead o", within(e.Overhead, unit))
		add("2o+L", within(e.Delivery, unit))
	} else {
		add("L and o", inseparable(e, unit))
	}
	add("gap g", within(e.Gap, unit))
	add("per byte G", within(e.PerByte, unit))
	add("round trip", fmt.Sprintf("%s, half of them from %s to %s", unit.SpanOf(rounded(e.RoundTrip.Median)), decimals(e.RoundTrip.Lower), decimals(e.RoundTrip.Upper)))
	add("send", within(e.Send, unit), " by itself")
	add("receive", within(e.Receive, unit), " of a rank that computes")
	if e.Service.Value > 0 {
		add("service", within(e.Service, unit), " of what all ranks share, for each message")
	}
	add("intervals", confidence(e))
	return details
}

// inseparable says what is known where L and o are not.
func inseparable(e calibration.Estimate, unit line.Unit) string {
	return "cannot be separated: 2o+L = " + within(e.Delivery, unit)
}

// within is a quantity with its interval, if that is not a point.
func within(q calibration.Quantity, unit line.Unit) string {
	value := unit.SpanOf(rounded(q.Value))
	if q.IsExact() {
		return value
	}
	return fmt.Sprintf("%s, %s to %s", value, decimals(q.Low), decimals(q.High))
}

// rounded leaves out what is less than a hundredth: nothing is measured as well as that.
func rounded(ticks float64) float64 {
	if math.Abs(ticks) < 100 {
		return ticks
	}
	return math.Round(ticks)
}

func decimals(ticks float64) string { return line.Decimals(rounded(ticks)) }

// confidence says where intervals come from, and how often they are too narrow.
func confidence(e calibration.Estimate) string {
	if e.Estimates < 2 {
		return "none, too little was measured"
	}
	return fmt.Sprintf("lowest to highest of %d %s; 1 in %.0f such intervals misses", e.Estimates, sources[e.Source], 1/e.Misses())
}

var sources = map[calibration.Source]string{
	calibration.Stretches:     "stretches of the run",
	calibration.SameProcesses: "runs of the same processes",
	calibration.NewProcesses:  "runs with new processes",
}

// MachineOf is the machine of an estimate, with what it is based on. What ranks share is a switch
// on the way of all messages, and the rest of L the way there and back.
func MachineOf(e calibration.Estimate, ranks int) line.MachineFile {
	const tick line.Unit = 1
	file := line.NewMachineFile(tick, e.LogP(ranks))
	if service := clock.Time(math.Round(e.Service.Value)); service > 0 {
		file.Network = fmt.Sprintf("switch:%d", service)
		file.Latency = max(1, file.Latency-service)
	}
	file.Measured = map[string]any{
		"L": e.Latency.Value, "o": e.Overhead.Value, "g": e.Gap.Value, "G": e.PerByte.Value,
		"delivery":   e.Delivery.Value,
		"round_trip": map[string]any{"median": e.RoundTrip.Median, "lower_quartile": e.RoundTrip.Lower, "upper_quartile": e.RoundTrip.Upper},
		"send":       e.Send.Value, "receive": e.Receive.Value, "service": e.Service.Value,
		"separable": e.Separable(),
		"intervals": intervals(e),
		"when":      time.Now().UTC().Format(time.RFC3339),
	}
	file.Comment = strings.Join(remarks(e, tick), "\n")
	return file
}

// intervals are those of a file: from where to where each quantity lies, and how many of them miss.
func intervals(e calibration.Estimate) map[string]any {
	table := map[string]any{"estimates": e.Estimates, "misses": e.Misses(), "processes_anew": e.Source == calibration.NewProcesses}
	for name, q := range map[string]calibration.Quantity{
		"L": e.Latency, "o": e.Overhead, "g": e.Gap, "G": e.PerByte, "delivery": e.Delivery,
		"send": e.Send, "receive": e.Receive, "service": e.Service,
	} {
		table[name] = []float64{q.Low, q.High}
	}
	return table
}

// remarks say at the top of a file how well its values are known, and what they stand for where L and o are not.
func remarks(e calibration.Estimate, unit line.Unit) []string {
	var lines []string
	if e.Separable() {
		lines = append(lines, "L: "+within(e.Latency, unit), "o: "+within(e.Overhead, unit), "2o+L: "+within(e.Delivery, unit))
	} else {
		lines = append(lines, "L and o "+inseparable(e, unit),
			"Below, 2o+L and the spacing of sends are as measured; how 2o+L is divided is not.")
	}
	return append(lines, "g: "+within(e.Gap, unit), "G: "+within(e.PerByte, unit), "Intervals: "+confidence(e)+".")
}
