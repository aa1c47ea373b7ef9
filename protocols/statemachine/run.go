package statemachine

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Options say how a machine is run.
type Options struct {
	// Every is how long a tick takes. 0: there are none, for machines without timers.
	Every clock.Time
	// Until is when Run returns. 0: when the machine says so (Ready.Stop). A machine without ticks may also be a server then, which has finished when
	// nothing can happen any more, see protocols.Proc.Linger.
	Until clock.Time
	// Want says which messages are for the machine. The zero Want is all of them. Others stay in the mailbox.
	Want mailbox.Want
}

// Run runs a machine on a rank until it is time to end. The machine is of this life: what it had stored in former ones it has been told by who made it.
//
// It panics if the machine wants to store something on a rank without storage, which no protocol can do anything about.
func Run(p protocols.Proc, m Machine, o Options) {
	if o.Every < 0 || o.Until < 0 {
		panic(fmt.Sprintf("statemachine: ticks of %d until %d, want 0 or more for both", o.Every, o.Until))
	}
	r := runner{Proc: p, machine: m, options: o, ticker: NewTicker(p, o.Every)}
	for r.work() {
		if !r.step() {
			return
		}
	}
}

type runner struct {
	protocols.Proc
	machine Machine
	options Options
	ticker  Ticker
	ticked  bool // the last thing that happened was a tick
}

// step has the machine take a message or a tick, whichever comes first. Who is so slow that the next tick is due when all is done that the last one led to takes a message
// in between, if there is one. It is false if time is up.
func (r *runner) step() bool {
	switch {
	case r.options.Until > 0 && r.Now() >= r.options.Until:
		return false
	case !r.ticked && r.ticker.Due(r.Now()):
		r.ticked = true
		r.machine.Tick()
	default:
		r.ticked = false
		if from, m, ok := r.next(); ok {
			r.machine.Step(from, m)
		}
	}
	return true
}

// next waits for a message until there is something else to do.
func (r *runner) next() (from int, m mailbox.Message, ok bool) {
	until := r.ticker.Next()
	if r.options.Until > 0 {
		until = min(until, r.options.Until)
	}
	if until == clock.Never {
		from, m = r.Linger(r.options.Want)
		return from, m, true
	}
	return r.RecvUntil(r.options.Want, until)
}

// work does what is ready until nothing is. It is false if the machine has ended.
func (r *runner) work() bool {
	for {
		ready, some := r.machine.Ready()
		if !some {
			return true
		}
		r.do(&ready)
		if ready.Stop {
			return false
		}
	}
}

// do keeps to the order in which nobody hears of what could be forgotten.
func (r *runner) do(ready *Ready) {
	if len(ready.Write)+len(ready.Forget) > 0 || ready.Sync {
		r.store(ready)
	}
	for _, letter := range ready.Send {
		r.Send(letter.To, letter.Message)
	}
	r.machine.Advance()
	for _, name := range ready.Forget {
		r.Storage().Delete(name)
	}
}

func (r *runner) store(ready *Ready) {
	storage, err := protocols.StorageOf(r)
	if err != nil {
		panic(err)
	}
	for _, record := range ready.Write {
		storage.Write(record.Name, record.Value)
	}
	if ready.Sync || len(ready.Forget) > 0 {
		storage.Sync()
	}
}
