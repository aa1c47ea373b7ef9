//go:build !linux

package tcp

import (
	"crypto/rand"
	"sync"
	"time"
)

// What other systems call their clocks and boots is not known here. So a process shares its clock with nobody but itself, which is
// what the coordinator and process 0 of a list are to each other, and estimates how far those of others are off.

var processBegan = time.Now()

var hostName = sync.OnceValue(func() string { return nameOfHost(rand.Text()) })

func readHostClock() time.Duration { return time.Since(processBegan) }
