package ulfm

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Options say by which algorithms the calls do what they do. The zero value has those of the
// thesis. All ranks of a run must have the same.
type Options struct {
	Agreement  Agreement
	Revocation Revocation
	// Diary remembers what ranks do, to explain a deadlock. Optional.
	Diary *Diary
}

// Run calls main with the communicator of all ranks, or, on a rank that was started anew, with one
// of itself alone, from which [Comm.Parent] leads to the others. When main has returned the rank
// stays, to answer the questions of others, until nobody needs it: Run is the last thing that a
// program does, and returns only with an error, if the machine does not offer what the package
// needs.
func (o Options) Run(p protocols.Proc, main func(world *Comm)) error {
	r, err := newRank(p, o)
	if err != nil {
		return err
	}
	if o.Diary != nil {
		o.Diary.ranks[p.Rank()] = r
	}
	makeRoom(1)
	world := r.world()
	if p.Life() > 0 {
		r.sayHello()
	}
	main(world)
	r.doing, r.returned = idle, p.Now()+1
	for {
		r.ask()
		r.react()
		r.handle(p.Linger(mailbox.Any))
	}
}

// Program returns what every rank runs. A machine that does not offer what the package needs is a
// mistake of whoever chose it: it panics.
func (o Options) Program(main func(world *Comm)) protocols.Program {
	return protocols.Program{
		Main: func(p protocols.Proc) {
			if err := o.Run(p, main); err != nil {
				panic(err)
			}
		},
		KindName: KindName,
	}
}

// Run is that of the zero [Options].
func Run(p protocols.Proc, main func(world *Comm)) error { return Options{}.Run(p, main) }

// Program is that of the zero [Options].
func Program(main func(world *Comm)) protocols.Program { return Options{}.Program(main) }

// makeRoom has the stack of a rank grow at once to the size that agreements need, 4 KB. There is little on it when the rank begins. Otherwise it
// grows later on, and is copied frame by frame, as often as it grows: that was close to half of the time that ranks take for a broadcast.
//
//go:noinline
func makeRoom(i int) byte {
	var room [1200]byte
	room[i]++
	return room[2*i]
}
