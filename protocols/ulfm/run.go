package ulfm

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Run calls main with the communicator of all ranks. When main has returned the rank stays, to
// answer the questions of others, until nobody needs it: Run is the last thing that a program
// does, and returns only with an error, if the machine does not offer what the package needs.
func Run(p protocols.Proc, main func(world *Comm)) error { return run(p, main, nil) }

func run(p protocols.Proc, main func(world *Comm), diary *Diary) error {
	r, err := newRank(p)
	if err != nil {
		return err
	}
	if diary != nil {
		diary.ranks[p.Rank()] = r
	}
	main(r.world())
	for {
		r.react()
		r.handle(p.Linger(mailbox.Any))
	}
}

// Program returns what every rank runs. A machine that does not offer what the package needs is a
// mistake of whoever chose it: it panics.
func Program(main func(world *Comm)) protocols.Program { return program(main, nil) }

func program(main func(world *Comm), diary *Diary) protocols.Program {
	return protocols.Program{
		Main: func(p protocols.Proc) {
			if err := run(p, main, diary); err != nil {
				panic(err)
			}
		},
		KindName: KindName,
	}
}
