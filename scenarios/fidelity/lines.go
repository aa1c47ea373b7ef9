package fidelity

import "fmt"

// Line is a broadcast, again and again. Broadcasts are so far apart that processes have slept in between, as they have in
// a calibration with its usual pause, and that one is over when the next begins.
type Line struct {
	Tree   string
	Ranks  int
	Bytes  int
	Repeat int
	Period string
	Number int // among [Lines], from 1
}

const (
	small  = 1 << 10
	medium = 1 << 16
	large  = 1 << 20
)

// Lines are those that are compared.
func Lines() []Line {
	all := []Line{
		{Tree: "binomial", Ranks: 2, Bytes: 0, Repeat: 40, Period: "5ms"},
		{Tree: "binomial", Ranks: 4, Bytes: 0, Repeat: 40, Period: "5ms"},
		{Tree: "binomial", Ranks: 8, Bytes: 0, Repeat: 40, Period: "5ms"},
		{Tree: "binomial", Ranks: 16, Bytes: 0, Repeat: 40, Period: "8ms"},
		{Tree: "binomial", Ranks: 32, Bytes: 0, Repeat: 40, Period: "10ms"},
		{Tree: "binomial", Ranks: 64, Bytes: 0, Repeat: 40, Period: "20ms"},
		{Tree: "kary k=4", Ranks: 16, Bytes: 0, Repeat: 40, Period: "8ms"},
		{Tree: "kary k=4", Ranks: 64, Bytes: 0, Repeat: 40, Period: "20ms"},
		{Tree: "lame k=2", Ranks: 16, Bytes: 0, Repeat: 40, Period: "8ms"},
		{Tree: "lame k=2", Ranks: 64, Bytes: 0, Repeat: 40, Period: "20ms"},
		{Tree: "optimal", Ranks: 16, Bytes: 0, Repeat: 40, Period: "8ms"},
		{Tree: "optimal", Ranks: 64, Bytes: 0, Repeat: 40, Period: "20ms"},
		{Tree: "binomial", Ranks: 2, Bytes: small, Repeat: 40, Period: "5ms"},
		{Tree: "binomial", Ranks: 2, Bytes: medium, Repeat: 40, Period: "5ms"},
		{Tree: "binomial", Ranks: 2, Bytes: large, Repeat: 20, Period: "40ms"},
		{Tree: "binomial", Ranks: 8, Bytes: small, Repeat: 40, Period: "5ms"},
		{Tree: "binomial", Ranks: 8, Bytes: medium, Repeat: 40, Period: "20ms"},
		{Tree: "binomial", Ranks: 8, Bytes: large, Repeat: 10, Period: "150ms"},
		{Tree: "binomial", Ranks: 64, Bytes: small, Repeat: 40, Period: "20ms"},
		{Tree: "binomial", Ranks: 64, Bytes: medium, Repeat: 10, Period: "150ms"},
	}
	for i := range all {
		all[i].Number = i + 1
	}
	return all
}

// With is the text of the line, on the machine of a file. The key machine comes last.
func (l Line) With(machine string) string {
	return fmt.Sprintf("broadcast P=%d tree=%s bytes=%d correction=none repeat=%d period=%s machine=%s", l.Ranks, l.Tree, l.Bytes, l.Repeat, l.Period, machine)
}

// Name is a line without what all lines have in common.
func (l Line) Name() string {
	switch {
	case l.Bytes == 0:
		return fmt.Sprintf("P=%d %s", l.Ranks, l.Tree)
	case l.Bytes < large:
		return fmt.Sprintf("P=%d %s, %d KB", l.Ranks, l.Tree, l.Bytes/small)
	}
	return fmt.Sprintf("P=%d %s, %d MB", l.Ranks, l.Tree, l.Bytes/large)
}
