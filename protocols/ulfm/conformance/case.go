package conformance

// Suite is where a case comes from.
type Suite string

const (
	MPICH    Suite = "mpich"    // MPICH, test/mpi/ft
	API      Suite = "api"      // ICL's ulfm-testing, api
	Stress   Suite = "stress"   // the same, stress
	Tutorial Suite = "tutorial" // the same, tutorial
	Exercise Suite = "exercise" // the same, programs of the tutorial with a part left out
	Tasks    Suite = "tasks"    // the same, a bag of tasks
	Jacobi   Suite = "jacobi"   // the same, Jacobi's method
	More     Suite = "more"     // neighbours of both
)

// Ending is how a case ends, as it is.
type Ending uint8

const (
	// Completes: all ranks that have not failed come to the end of their program.
	Completes Ending = iota
	// Aborts: a rank ends the run, as the program wants it or as errors are fatal unless a
	// program says otherwise.
	Aborts
	// Deadlocks: ranks wait for ever for others that have not failed. The program is wrong.
	Deadlocks
	// NeverEnds: ranks go on for ever. The program is wrong.
	NeverEnds
	// Differs: ranks that have not failed have different results, under some schedule of one
	// failure. The program is wrong.
	Differs
)

// Case is a program of a suite.
type Case struct {
	Suite  Suite
	Name   string // as the suite calls it
	Ranks  int
	Checks string // what it checks, in a sentence
	Faults string // the failures that it has of its own, a schedule
	Ending Ending
	Run    func(r *Rank)

	// Explored is which ranks may fail besides, where that is not all of them, and why.
	Explored Exploration
	// Differs says what the program does otherwise than the original, and why; "" if nothing.
	Differs string
	// Wrong is what our tools show, of a program that is wrong.
	Wrong string
}

// Exploration says which further failures a program stands by MPI's own rules.
type Exploration struct {
	// Only are the ranks that may fail besides. Nil: all.
	Only []int
	// None: nobody else.
	None bool
	// Fatal: the program aborts at some points if a further rank fails.
	Fatal bool
	// Rejoins starts ranks that fail besides anew, as the schedule of the case does with its own.
	Rejoins bool
	// Why some are left out, or the program aborts.
	Why string
}

// StepDie is where the ranks of a case fail.
const StepDie = "die"

// What many programs do otherwise than the originals. The letters are those of docs/ulfm-conformance.md.
const (
	// withAgree: all agree on each new communicator before they use it, since a further failure may leave some ranks
	// without it.
	withAgree = "(a)"
	// startedByUs: ranks are started by the schedule, as by a batch system. One of a round that has failed waits for the
	// next one; in the original it asks a parent that is gone.
	startedByUs = "(b)"
	// bothAgree: both groups agree twice on what connects them, as ranks that were started have no communicator of their
	// own by which they could hear of each other.
	bothAgree = "(c)"
)
