package line

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

// storageKeys are those of protocols that use stable storage.
var storageKeys = Keys{
	storageKey("write", "ticks to change a record of the storage").Trying(Words("0", "1")),
	storageKey("sync", "ticks until what was changed is safe").Trying(Words("0", "9")),
	storageKey("read", "ticks to read a record").Trying(nil),
}

func storageKey(name, help string) Key {
	k := TimeKey(name, 0, 0, uint64(clock.MaxCost), help)
	k.ofStorage = true
	return k
}

// StorageKeys are those that say how long operations of stable storage take.
func StorageKeys() Keys { return storageKeys }

// store reports whether these are keys of a protocol that uses stable storage.
func (k Keys) store() bool {
	return slices.ContainsFunc(k, func(key Key) bool { return key.ofStorage })
}

// Disk is how long operations of stable storage take; no time at all on lines of protocols that use none, whatever their keys are called.
func (s Settings) Disk() clock.Disk {
	if !s.stores {
		return clock.Disk{}
	}
	return clock.Disk{Write: s.Ticks("write"), Sync: s.Ticks("sync"), Read: s.Ticks("read")}
}
