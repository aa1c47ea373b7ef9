//go:build !amd64

package emu

// Other processors do without the hint.
func here() spot { return spot{} }

func prefetchParked(goroutine, frame, channel uintptr) {}

func prefetchWaiter(channel uintptr) {}
