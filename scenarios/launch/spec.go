package launch

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// Spec is all that a process must know to take part in a job.
type Spec struct {
	Key         string // of the job, with its secret
	Coordinator string // its address
	Line        string
	Faults      string // drawn already
	Processes   int
	Process     int
	Life        int
	Tick        time.Duration
	Pace        tcp.Pace
	Listen      string
	Anywhere    bool
	Encrypt     bool
	Eager       bool
	Signals     bool
}

// ReadSpec reads the first line of a process's standard input.
func ReadSpec(r io.Reader) (Spec, error) {
	var s Spec
	if err := json.NewDecoder(r).Decode(&s); err != nil {
		return s, fmt.Errorf("launch: no specification of a process: %w", err)
	}
	return s, nil
}

// config is what the network must know of it.
func (s Spec) config(run *scenarios.Run, log func(string)) (tcp.Config, error) {
	key, err := wire.ParseKey(s.Key)
	if err != nil {
		return tcp.Config{}, err
	}
	schedule, err := faults.Parse(s.Faults)
	if err != nil {
		return tcp.Config{}, err
	}
	x := run.Experiment()
	return tcp.Config{
		Job: tcp.Job{
			Job: key, LogP: x.Machine, Network: x.Network, Processes: s.Processes, Tick: s.Tick, Pace: s.Pace,
			Seed: run.Settings().Seed(), Faults: schedule, Encrypt: s.Encrypt, Eager: s.Eager, Name: s.Line,
		},
		Process: s.Process, Life: s.Life, Listen: s.Listen, Anywhere: s.Anywhere, Signals: s.Signals, Log: log,
	}, nil
}
