package emu

// here returns the location of the calling goroutine.
//
//go:noescape
func here() location

// prefetchParked asks for the lines of a parked goroutine: its descriptor, the part of
// its stack that a wake-up touches, and its channel.
//
//go:noescape
func prefetchParked(goroutine, frame, channel uintptr)

// prefetchWaiter asks for what a channel knows of the goroutine that waits for it.
//
//go:noescape
func prefetchWaiter(channel uintptr)
