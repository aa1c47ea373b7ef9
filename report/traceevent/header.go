package traceevent

import (
	"fmt"
	"strconv"
	"time"
)

// header writes what the run was. All values are text: seeds have 64 bits, numbers in JSON are
// read with 53.
func (t *tracer) header() {
	rep := t.Report
	t.out.text(`{"otherData":{`)
	if t.Line != "" {
		t.out.quote(`"line":`, t.Line)
		t.out.text(",")
	}
	t.out.quote(`"machine":`, t.Machine())
	t.out.quote(`,"seed":`, strconv.FormatUint(rep.Seed, 10))
	t.out.quote(`,"faults":`, rep.Faults.String())
	if rep.Processes {
		t.out.quote(`,"clocks":`, "differ by up to "+inASCII(rep.ClockError))
	} else {
		t.out.quote(`,"hash":`, rep.Hash.String())
	}
	t.out.quote(`,"tick":`, tickText(t.Tick))
	t.out.text(`},"traceEvents":[`)
}

// Machine is the machine of a run in the words of lines.
func (r Run) Machine() string {
	m := r.Report.LogP
	return fmt.Sprintf("P=%d L=%d o=%d g=%d G=%d", len(r.Report.Ranks), m.Latency, m.Overhead, m.Gap, m.PerByte)
}

func tickText(tick time.Duration) string {
	if tick == 0 {
		return "shown as 1us"
	}
	return "shown as 1us, stands for " + inASCII(tick)
}

// inASCII prints a time with u for micro, as run lines have it.
func inASCII(d time.Duration) string {
	if d >= time.Microsecond && d < time.Millisecond {
		return strconv.FormatFloat(float64(d)/float64(time.Microsecond), 'f', -1, 64) + "us"
	}
	return d.String()
}
