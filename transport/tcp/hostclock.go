package tcp

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// All processes of a host have one clock, which the kernel keeps. Two processes that know that they are on one host need not
// ask each other what time it is: both read the same clock, and there is no error but that of the reading itself.

// hostReading is when the clock of the host showed what, as a process sees it.
type hostReading struct {
	Host  string        // whose clock it is: equal for processes that share it; "" if nobody else has it
	Shows time.Duration // the clock of the host, since whatever it counts from
	Error time.Duration // by how much that may be wrong
}

// anchor is an instant on the clock of this process and on that of its host.
type anchor struct {
	at time.Time
	hostReading
}

// anchorAttempts is how often both clocks are read to find an instant on both, as the process may be put aside between two readings.
const anchorAttempts = 32

// closeEnough is how far apart two readings of the host's clock may be with nothing to be gained from trying again.
const closeEnough = 400 * time.Nanosecond

// dropAnchor finds an instant on both clocks.
func dropAnchor() anchor { return dropAnchorIn(hostName(), readHostClock) }

// dropAnchorIn is dropAnchor for the clock of some host: one reading of its own between two of that, as close together as can be had.
func dropAnchorIn(host string, read func() time.Duration) (best anchor) {
	best.Host = host
	for i := range anchorAttempts {
		before := read()
		at := time.Now()
		took := read() - before
		if half := (took + 1) / 2; i == 0 || half < best.Error {
			best.at, best.Shows, best.Error = at, before+took/2, half
		}
		if took <= closeEnough {
			break
		}
	}
	return best
}

// when is when the clock of the host showed something, on the clock of this process.
func (a *anchor) when(shows time.Duration) time.Time { return a.at.Add(shows - a.Shows) }

// nameOfHost makes a name out of what tells hosts apart, which others need not know.
func nameOfHost(identity string) string {
	sum := sha256.Sum256([]byte("mangrove clock of " + identity))
	return hex.EncodeToString(sum[:16])
}
