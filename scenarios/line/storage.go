package line

import "github.com/mangrove-emu/mangrove/clock"

// storageKeys are those of protocols that use stable storage.
var storageKeys = Keys{
	TimeKey("write", 0, 0, uint64(clock.MaxCost), "ticks to change a record of the storage").Trying(Words("0", "1")),
	TimeKey("sync", 0, 0, uint64(clock.MaxCost), "ticks until what was changed is safe").Trying(Words("0", "9")),
	TimeKey("read", 0, 0, uint64(clock.MaxCost), "ticks to read a record").Trying(nil),
}

// StorageKeys are those that say how long operations of stable storage take.
func StorageKeys() Keys { return storageKeys }

// Disk is how long operations of stable storage take; no time at all on lines of protocols that use none.
func (s Settings) Disk() clock.Disk {
	if _, ok := s.Lookup("sync"); !ok {
		return clock.Disk{}
	}
	return clock.Disk{Write: s.Ticks("write"), Sync: s.Ticks("sync"), Read: s.Ticks("read")}
}
