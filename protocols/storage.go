package protocols

import "errors"

// Storage is what a rank has that outlives its program: named records, its own and nobody else's. A machine may offer it or not.
//
// Changes are there at once for the rank that makes them, but they are safe only when a Sync that began after them has ended. A
// rank that fails loses those that are not: all of them, unless its schedule says which are kept
// (package faults). Where they are kept and where not need not be in the order in which they were made, as with files. In its next life
// it finds what is left.
//
// Each call takes as long as the machine says (clock.Disk); messages keep coming in meanwhile. A call
// during which the rank fails does not return: a change that was under way is one of those that are not safe, and a Sync has made nothing safe.
type Storage interface {
	// Write puts a value under a name, in place of the one that is there.
	Write(name, value string)
	// Delete removes a record, if it is there. For faults it is a write like any other.
	Delete(name string)
	// Sync returns when all changes that were made are safe.
	Sync()
	// Read returns the value under a name, as it was written last.
	Read(name string) (value string, ok bool)
	// Names lists the names of all records, sorted as strings are.
	Names() []string
}

// ErrNoStorage is what protocols say that need stable storage and have none.
var ErrNoStorage = errors.New("protocols: the machine has no stable storage")

// StorageOf returns the storage of a rank, or ErrNoStorage.
func StorageOf(p Proc) (Storage, error) {
	if s := p.Storage(); s != nil {
		return s, nil
	}
	return nil, ErrNoStorage
}
