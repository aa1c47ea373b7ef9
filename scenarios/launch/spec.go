package launch

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// processSpec is all that a process must know to take part in a job.
type processSpec struct {
	Key         string // of the job, with its secret
	Coordinator string // its address
	Line        string
	Faults      string // drawn already
	Processes   int
	Process     int
	Life        int
	Pace        tcp.Pace
	Listen      string
	Anywhere    bool
	Encrypt     bool
	Eager       bool
	Signals     bool
}

// readSpec reads the first line of a process's standard input.
func readSpec(r io.Reader) (processSpec, error) {
	var s processSpec
	if err := json.NewDecoder(r).Decode(&s); err != nil {
		return s, fmt.Errorf("launch: no specification of a process: %w", err)
	}
	return s, nil
}

// config is what the network must know of it.
func (s processSpec) config(run *scenarios.Run, log func(string)) (tcp.Config, error) {
	key, err := wire.ParseKey(s.Key)
	if err != nil {
		return tcp.Config{}, err
	}
	schedule, err := faults.Parse(s.Faults)
	if err != nil {
		return tcp.Config{}, err
	}
	return tcp.Config{
		Job:     jobOf(run, key, schedule, Options{Processes: s.Processes, Pace: s.Pace, Encrypt: s.Encrypt, Eager: s.Eager}),
		Process: s.Process, Life: s.Life, Listen: s.Listen, Anywhere: s.Anywhere, Signals: s.Signals, Log: log,
	}, nil
}
