package clock

import "github.com/mangrove-emu/mangrove/internal/problems"

// Disk is how long operations of stable storage take. The program of the rank waits meanwhile; its ports go on. The zero Disk
// takes no time.
type Disk struct {
	Write Time `json:"write,omitempty"` // to put a record there, or to delete one
	Sync  Time `json:"sync,omitempty"`  // until everything that was written is safe
	Read  Time `json:"read,omitempty"`  // to read a record, or to list all
}

// Validate returns an error that lists every time out of range, or nil.
func (d Disk) Validate() error {
	var wrong problems.List
	problems.Range(&wrong, "write", d.Write, 0, MaxCost, "ticks")
	problems.Range(&wrong, "sync", d.Sync, 0, MaxCost, "ticks")
	problems.Range(&wrong, "read", d.Read, 0, MaxCost, "ticks")
	return wrong.Err("clock")
}
