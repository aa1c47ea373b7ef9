package fidelity

import "fmt"

// series is a broadcast, again and again. Broadcasts are so far apart that processes have slept in between, as they have in
// a calibration with its usual pause, and that one is over when the next begins.
type series struct {
	tree   string
	ranks  int
	bytes  int
	repeat int
	period string
}

const (
	small  = 1 << 10
	medium = 1 << 16
	large  = 1 << 20
)

var lines = []series{
	{"binomial", 2, 0, 40, "5ms"},
	{"binomial", 4, 0, 40, "5ms"},
	{"binomial", 8, 0, 40, "5ms"},
	{"binomial", 16, 0, 40, "8ms"},
	{"binomial", 32, 0, 40, "10ms"},
	{"binomial", 64, 0, 40, "20ms"},
	{"kary k=4", 16, 0, 40, "8ms"},
	{"kary k=4", 64, 0, 40, "20ms"},
	{"lame k=2", 16, 0, 40, "8ms"},
	{"lame k=2", 64, 0, 40, "20ms"},
	{"optimal", 16, 0, 40, "8ms"},
	{"optimal", 64, 0, 40, "20ms"},
	{"binomial", 2, small, 40, "5ms"},
	{"binomial", 2, medium, 40, "5ms"},
	{"binomial", 2, large, 20, "40ms"},
	{"binomial", 8, small, 40, "5ms"},
	{"binomial", 8, medium, 40, "20ms"},
	{"binomial", 8, large, 10, "150ms"},
	{"binomial", 64, small, 40, "20ms"},
	{"binomial", 64, medium, 10, "150ms"},
}

// Lines are those that are compared. The key machine comes last, and names the file.
func Lines(machine string) []string {
	var all []string
	for _, l := range lines {
		all = append(all, fmt.Sprintf("broadcast P=%d tree=%s bytes=%d correction=none repeat=%d period=%s machine=%s", l.ranks, l.tree, l.bytes, l.repeat, l.period, machine))
	}
	return all
}

// name is a line without what all lines have in common, by its place in [Lines].
func name(i int) string {
	l := lines[i]
	switch {
	case l.bytes == 0:
		return fmt.Sprintf("P=%d %s", l.ranks, l.tree)
	case l.bytes < large:
		return fmt.Sprintf("P=%d %s, %d KB", l.ranks, l.tree, l.bytes/small)
	}
	return fmt.Sprintf("P=%d %s, %d MB", l.ranks, l.tree, l.bytes/large)
}
