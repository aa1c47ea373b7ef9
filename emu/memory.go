package emu

import "runtime/metrics"

// memory is an amount of memory of this process, in bytes.
type memory int64

// memoryInUse is what Go has taken from the operating system and uses: neither free in
// its heap nor given back.
func memoryInUse() memory {
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples)
	return memory(samples[0].Value.Uint64() - samples[1].Value.Uint64() - samples[2].Value.Uint64())
}

// bytes is how much more the process uses than before the machine was made.
func (m *Machine) bytes() memory {
	return max(0, memoryInUse()-m.before-memory(len(m.ballast)))
}
