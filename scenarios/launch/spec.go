package launch

import (
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
	Listen      string // "": only this host need reach it
	Encrypt     bool
	Eager       bool
	Keeps       bool   // ranks have storage
	Storage     string // its folder; "": a temporary one, which whoever starts the process makes
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
	job := jobOf(run, key, schedule, Options{Processes: s.Processes, Pace: s.Pace, Encrypt: s.Encrypt, Eager: s.Eager})
	return tcp.Config{
		Job: job, Process: s.Process, Life: s.Life, Listen: s.Listen, Anywhere: s.Listen != "", Storage: s.Storage, Signals: signals(job), Log: log,
	}, nil
}
