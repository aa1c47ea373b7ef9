//go:build !amd64

package emu

// Other processors do without the hint.
func here() location { return location{} }

func prefetchParked(goroutine, frame, channel uintptr) {}

func prefetchWaiter(channel uintptr) {}
