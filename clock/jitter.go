package clock

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/internal/splitmix"
)

// Jitter is by how much longer than the network says messages are under way, each by chance.
//
// A Jitter must be a pure function of its arguments and safe for concurrent use. What it computes must be the same on all
// processors.
type Jitter interface {
	// Delay turns a number that was drawn uniformly into ticks, 0 to MaxCost.
	Delay(drawn uint64) Time
	// Max is the longest delay there is; bounded is false if messages may be later than any bound that is worth reckoning with.
	Max() (longest Time, bounded bool)
	// Validate returns an error that lists everything wrong with it, or nil.
	Validate() error
	// String is the text that ParseJitter reads.
	String() string
}

// jitterDomain keeps what jitter draws apart from other streams made of the same seed.
const jitterDomain = 0x6a69747465720000 // "jitter"

// DrawJitter draws by how much a message is late, by the seed of the run, its sender and the number of the send, from 1 and
// through all lives of the sender. So it is the same on every machine.
func DrawJitter(j Jitter, seed uint64, rank, send int) Time {
	stream := splitmix.At(seed, jitterDomain+uint64(rank))
	return j.Delay(splitmix.At(stream, uint64(send)))
}

// UniformJitter delays messages by any number of ticks from Least to Most, all equally likely.
type UniformJitter struct{ Least, Most Time }

// Delay implements Jitter.
func (j UniformJitter) Delay(drawn uint64) Time {
	return j.Least + Time(scaled(drawn, uint64(j.Most-j.Least)+1))
}

// Max implements Jitter.
func (j UniformJitter) Max() (longest Time, bounded bool) { return j.Most, true }

// Validate implements Jitter.
func (j UniformJitter) Validate() error {
	var wrong problems.List
	problems.Range(&wrong, "largest delay", j.Most, 0, MaxCost, "ticks")
	problems.Range(&wrong, "smallest delay", j.Least, 0, max(0, min(j.Most, MaxCost)), "ticks")
	return wrong.Err("clock")
}

func (j UniformJitter) String() string { return fmt.Sprintf("uniform:%d..%d", j.Least, j.Most) }

// ExponentialJitter delays messages by an exponential distribution with that mean, in ticks.
type ExponentialJitter struct{ Mean float64 }

// Delay implements Jitter.
func (j ExponentialJitter) Delay(drawn uint64) Time { return roundTicks(-j.Mean * ln(fraction(drawn))) }

// Max implements Jitter.
func (j ExponentialJitter) Max() (longest Time, bounded bool) { return 0, false }

// Validate implements Jitter.
func (j ExponentialJitter) Validate() error {
	var wrong problems.List
	checkTicks(&wrong, "mean", j.Mean)
	return wrong.Err("clock")
}

func (j ExponentialJitter) String() string { return "exponential:" + decimal(j.Mean) }

// LognormalJitter delays messages by a log-normal distribution: the logarithms of the delays are normal, with the
// logarithm of Median as their mean and Sigma as their standard deviation.
type LognormalJitter struct{ Median, Sigma float64 }

// Delay implements Jitter.
func (j LognormalJitter) Delay(drawn uint64) Time {
	return roundTicks(j.Median * exp(j.Sigma*normalQuantile(fraction(drawn))))
}

// Max implements Jitter.
func (j LognormalJitter) Max() (longest Time, bounded bool) { return 0, false }

// Validate implements Jitter.
func (j LognormalJitter) Validate() error {
	var wrong problems.List
	checkTicks(&wrong, "median", j.Median)
	wrong.Check(j.Sigma >= 0 && j.Sigma <= maxSigma, "sigma %s, want 0 to %d", decimal(j.Sigma), maxSigma)
	return wrong.Err("clock")
}

// maxSigma is far beyond what networks have: one message in a thousand is then twenty million times as late as another.
const maxSigma = 10

func (j LognormalJitter) String() string {
	return "lognormal:" + decimal(j.Median) + ":" + decimal(j.Sigma)
}

// TableJitter delays messages as often as a table says, such as one that was measured.
type TableJitter []Weighted

// Weighted is a delay that comes Weight times as often as one of weight 1.
type Weighted struct {
	Delay  Time
	Weight int
}

// Delay implements Jitter.
func (j TableJitter) Delay(drawn uint64) Time {
	total := uint64(0)
	for _, w := range j {
		total += uint64(w.Weight)
	}
	place := scaled(drawn, total)
	for _, w := range j {
		if place < uint64(w.Weight) {
			return w.Delay
		}
		place -= uint64(w.Weight)
	}
	return 0
}

// Max implements Jitter.
func (j TableJitter) Max() (longest Time, bounded bool) {
	for _, w := range j {
		if w.Weight > 0 {
			longest = max(longest, w.Delay)
		}
	}
	return longest, true
}

// Validate implements Jitter.
func (j TableJitter) Validate() error {
	var wrong problems.List
	problems.Range(&wrong, "rows of the table", len(j), 1, maxRows, "")
	for _, w := range j {
		problems.Range(&wrong, "delay in the table", w.Delay, 0, MaxCost, "ticks")
		problems.Range(&wrong, "weight in the table", w.Weight, 1, maxWeight, "")
	}
	return wrong.Err("clock")
}

const maxRows, maxWeight = 1000, 1_000_000_000

func (j TableJitter) String() string {
	rows := make([]string, len(j))
	for i, w := range j {
		rows[i] = fmt.Sprintf("%dx%d", w.Delay, w.Weight)
	}
	return "table:" + strings.Join(rows, ",")
}

// jitterForms are the texts of jitter.
const jitterForms = "uniform:0..5, exponential:5, lognormal:5:0.8 or table:0x90,5x9,200x1"

// ParseJitter reads jitter: uniform:LEAST..MOST, exponential:MEAN, lognormal:MEDIAN:SIGMA, or table:DELAYxWEIGHT,…
func ParseJitter(text string) (Jitter, error) {
	bad := problems.New("clock", "jitter %q, want %s", text, jitterForms)
	name, rest, _ := strings.Cut(text, ":")
	var j Jitter
	ok := false
	switch name {
	case "uniform":
		j, ok = parseUniform(rest)
	case "exponential":
		var x ExponentialJitter
		x.Mean, ok = parseDecimal(rest)
		j = x
	case "lognormal":
		median, sigma, _ := strings.Cut(rest, ":")
		var x LognormalJitter
		var well bool
		x.Median, ok = parseDecimal(median)
		x.Sigma, well = parseDecimal(sigma)
		j, ok = x, ok && well
	case "table":
		j, ok = parseTable(rest)
	}
	if !ok {
		return nil, bad
	}
	return j, j.Validate()
}

func parseUniform(text string) (j UniformJitter, ok bool) {
	least, most, spans := strings.Cut(text, "..")
	low, err := strconv.ParseInt(least, 10, 64)
	high, err2 := strconv.ParseInt(most, 10, 64)
	return UniformJitter{Time(low), Time(high)}, spans && err == nil && err2 == nil
}

func parseTable(text string) (j TableJitter, ok bool) {
	for row := range strings.SplitSeq(text, ",") {
		delay, weight, weighted := strings.Cut(row, "x")
		d, err := strconv.ParseInt(delay, 10, 64)
		w, err2 := strconv.ParseInt(weight, 10, 64)
		if err != nil || err2 != nil || !weighted {
			return nil, false
		}
		j = append(j, Weighted{Time(d), int(w)})
	}
	return j, true
}

func parseDecimal(text string) (x float64, ok bool) {
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}

// decimal prints a number so that it is read back as it is.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// checkTicks notes what is no time in ticks.
func checkTicks(wrong *problems.List, what string, x float64) {
	wrong.Check(x > 0 && x <= float64(MaxCost), "%s %s ticks, want more than 0 and at most %d", what, decimal(x), MaxCost)
}
