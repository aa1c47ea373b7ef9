package statemachine

import "github.com/mangrove-emu/mangrove/mailbox"

// Machine is a library that is a state machine, on one rank and in one of its lives. Its methods make no calls of the Proc that take time.
type Machine interface {
	// Step takes in a message from a rank. Messages are not trusted to make sense: they may be late, there twice, or for a former life.
	Step(from int, m mailbox.Message)
	// Tick says that time has passed, see Options.Every.
	Tick()
	// Ready returns what is to be done now, and false if that is nothing. It is called before the first step, too: a machine may begin with something.
	Ready() (Ready, bool)
	// Advance says that all of the last Ready is done but for what it forgets. The machine applies what it has found agreed on; what that leads to is in the next Ready.
	Advance()
}

// Ready is what a machine wants to have done.
type Ready struct {
	// Write has records for the rank's storage, in their order.
	Write []Record
	// Sync says that these, and all that were written before, must be safe before anything is sent or applied.
	Sync bool
	// Send has messages for others, sent one after the other.
	Send []Letter
	// Forget names records that are not needed any more once those of Write are safe. They are deleted last; a deletion itself
	// need not be safe, so whoever reads the records in the next life may find some of these.
	Forget []string
	// Stop says that the machine has ended: Run returns when all this is done.
	Stop bool
}

// Record is a value under a name, see protocols.Storage.
type Record struct{ Name, Value string }

// Letter is a message and where it goes.
type Letter struct {
	To      int
	Message mailbox.Message
}
