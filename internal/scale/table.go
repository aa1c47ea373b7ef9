package scale

import (
	"fmt"
	"strings"
	"time"
)

// Host is what the hosts of a table have.
type Host struct {
	Cores  int
	Memory int64 // bytes
	Network
}

// The tables of the document: hosts of a cluster of two cores each, about as measured, and larger ones.
var (
	Small = Host{Cores: 2, Memory: 64 << 30, Network: Ethernet}
	Large = Host{Cores: 32, Memory: 256 << 30, Network: InfiniBand}
)

// one is a job of one process a host, on 2^q hosts.
func (h Host) one(levels, q int) Job {
	return Job{Levels: levels, Q: q, PerHost: 1, Workers: h.Cores, Cores: h.Cores}
}

// The rows and columns of tables: logarithms of ranks, and of hosts.
var (
	rows    = []int{24, 26, 28, 30}
	columns = []int{2, 4, 6, 8, 10}
)

// usable is the share of a host's memory that ranks may have.
const usable = 0.9

// fits reports whether a prediction is within the memory of a host.
func (h Host) fits(p Prediction) bool { return float64(p.Memory) <= usable*float64(h.Memory) }

// Table is how long broadcasts take, in the form of a document.
func (h Host) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, hosts of %s and %d GB:\n\n| ranks | messages | windows |", h.Name, plural(h.Cores, "core"), h.Memory>>30)
	for _, q := range columns {
		fmt.Fprintf(&b, " %d hosts |", 1<<q)
	}
	fmt.Fprintf(&b, "\n|%s\n", strings.Repeat("---|", 3+len(columns)))
	for _, levels := range rows {
		fmt.Fprintf(&b, "| 2^%d | %s | %d |", levels, billions(messages(levels)), windows(levels))
		for _, q := range columns {
			p := h.one(levels, q).Predict(Measured, h.Network)
			if h.fits(p) {
				fmt.Fprintf(&b, " %s |", seconds(p.Total()))
			} else {
				fmt.Fprintf(&b, " no room |")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Split is what the time of a broadcast is made of, on as many hosts as there may be, in the form of a document.
func (h Host) Split(levels int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "2^%d ranks on the hosts of the last table, and what that is made of:\n\n", levels)
	b.WriteString("| hosts | time | work | of it waiting, as the tree is uneven | messages from others | exchanges | their latency | their contents | memory a host |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, q := range columns {
		j := h.one(levels, q)
		p := j.Predict(Measured, h.Network)
		if !h.fits(p) {
			continue
		}
		even := times(Measured.Tree+Measured.Correction, float64(int64(1)<<(levels-q))/float64(h.Cores))
		fmt.Fprintf(&b, "| %d | %s | %s | %s | %s | %d | %s | %s | %.0f GB |\n", 1<<q, seconds(p.Total()), seconds(p.Work), seconds(p.Work-even),
			seconds(p.Letters), j.exchanges(), seconds(p.Latency), seconds(p.Transfer), float64(p.Memory)/(1<<30))
	}
	return b.String()
}

// Comparison is what was observed beside what is predicted, in the form of a document.
func Comparison() string {
	var b strings.Builder
	b.WriteString("| ranks | processes | workers each | measured | predicted | |\n|---|---|---|---|---|---|\n")
	for _, o := range Observed {
		total := o.Predict(Measured, SharedMemory).Total()
		fmt.Fprintf(&b, "| 2^%d | %d | %d | %s | %s | %.2f |\n", o.Levels, 1<<o.Q, o.Workers, seconds(o.Took), seconds(total), total.Seconds()/o.Took.Seconds())
	}
	return b.String()
}

// seconds shows a time with two digits, which is more than predictions are good for.
func seconds(d time.Duration) string {
	s := d.Seconds()
	switch {
	case s >= 9.95:
		return fmt.Sprintf("%.0f s", s)
	case s >= 0.995:
		return fmt.Sprintf("%.1f s", s)
	case s >= 0.0995:
		return fmt.Sprintf("%.2f s", s)
	}
	return fmt.Sprintf("%.1f ms", s*1e3)
}

// billions shows a large number.
func billions(n int64) string {
	if n < 1e9 {
		return fmt.Sprintf("%.0f million", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f billion", float64(n)/1e9)
}

func plural(n int, word string) string { return fmt.Sprintf("%d %ss", n, word) }
