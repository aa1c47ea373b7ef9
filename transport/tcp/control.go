package tcp

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// control is what a process and the coordinator tell each other. One of the fields is set.
type control struct {
	// From a process.
	Join      *joining     `json:",omitempty"`
	Connected bool         `json:",omitempty"` // it is connected to all others
	Asked     int          `json:",omitempty"` // what time it is; the number of the question, from 1
	Status    *status      `json:",omitempty"`
	Beat      bool         `json:",omitempty"` // a sign of life
	LastWords *lastWords   `json:",omitempty"`
	Rejoined  *rejoined    `json:",omitempty"`
	Report    []rankReport `json:",omitempty"` // about all its ranks, when the run is over
	Panic     *Panic       `json:",omitempty"`
	Events    []recorded   `json:",omitempty"` // of its ranks, if they are recorded: some of them, before its report or its last words
	Standing  *[]standing  `json:",omitempty"` // how its ranks are, when it is asked
	// ClockError goes with the report: by how much the clock of the process was wrong at most.
	ClockError time.Duration `json:",omitempty"`

	// From the coordinator.
	Clock     *timeTold `json:",omitempty"` // what time it is, since it began
	Connect   []peer    `json:",omitempty"` // the others, to connect to
	Start     *start    `json:",omitempty"`
	Change    *change   `json:",omitempty"`
	Probe     int       `json:",omitempty"`
	Describe  bool      `json:",omitempty"` // it wants to know how ranks are
	Over      bool      `json:",omitempty"`
	Delivered bool      `json:",omitempty"` // the report is here
}

// joining is how a process presents itself.
type joining struct {
	Address string // where others reach it
	Terms   string // what it takes the job to be
}

// rejoined says that a rank has begun again inside its process, and at which instant of the schedule it
// was to do so.
type rejoined struct {
	report.Rejoin
	Due clock.Time
}

// start is what a process must know to begin.
type start struct {
	At       time.Duration // on the coordinator's clock
	Peers    []peer
	Failures failureList
	Version  int // of what it knows by this of others' failures
	Detector bool
	Record   bool          // events are wanted
	Beat     time.Duration // between signs of life; 0: none are wanted
	// History is how far its rank has come in its former lives; only with a process for each rank.
	History faults.History
	// Order is what its messages may not overtake that it has sent in former lives; likewise.
	Order linkOrder `json:",omitempty"`
}

// peer is a process as others see it.
type peer struct {
	Process int
	Life    int    `json:",omitempty"`
	Address string `json:",omitempty"` // "": it was never started
	Failed  bool   `json:",omitempty"` // it takes nothing any more
	Ended   bool   `json:",omitempty"` // its connections are closed, or will be
	Said    bool   `json:",omitempty"` // it has said so before, when all that it had sent was on its way
}

// change is something that happened to another process or rank. Changes are numbered, and
// processes hear of all of them in the same order.
type change struct {
	Version int
	Peer    *peer `json:",omitempty"` // it has failed, ended or been started again
	Failed  []int `json:",omitempty"` // ranks of which the failure detector tells
	Present []int `json:",omitempty"` // ranks that it takes back
	// After is what a process has sent whose ranks have failed without it: they are told of when
	// that has been received.
	After *sentBy `json:",omitempty"`
}

// sentBy is what a process has sent to each other one.
type sentBy struct {
	Process int
	Tallies map[int]tally
}

// tally is how many messages were handed over and received on a connection. Those of one that broke
// count no more: what was under way is lost.
type tally struct {
	Connection uint64 `json:",omitempty"` // its number, the same on both sides; 0: there is none, or not yet
	Sent       int64  `json:",omitempty"`
	Received   int64  `json:",omitempty"`
}

// status is what a process says when it has nothing to do, and when it is asked.
type status struct {
	Probe    int           // the last one it was asked by
	Version  int           // the last change it has heard of
	Idle     bool          // nothing but a message from another process can make it do something
	Tallies  map[int]tally // by process
	Received int64         // messages, over all connections that there ever were
}

// frame wraps a control message.
func (c control) frame() wire.Frame {
	text, err := json.Marshal(c)
	if err != nil {
		panic(fmt.Sprintf("tcp: %v", err)) // all of it can be marshalled
	}
	return wire.Frame{Type: wire.Control, Message: mailbox.Message{Payload: string(text)}}
}

// readControl reads the next control message.
func readControl(s *wire.Session) (c control, err error) {
	f, err := s.ReadFrame()
	if err != nil {
		return c, err
	}
	if f.Type != wire.Control {
		return c, fmt.Errorf("tcp: frame of type %d from process %d, want %d", f.Type, s.Peer.Process, wire.Control)
	}
	if err := json.Unmarshal([]byte(f.Payload), &c); err != nil {
		return c, fmt.Errorf("tcp: control message of process %d: %w", s.Peer.Process, err)
	}
	return c, nil
}
