package emu

import "runtime/metrics"

// memory is an amount of memory of this process, in bytes.
type memory uint64

// memoryInUse is what Go has taken from the operating system and not given back.
func memoryInUse() memory {
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples)
	return memory(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

// bytesPerRank is how much more the process uses than before the machine was made,
// shared out among the ranks.
func (m *Machine) bytesPerRank() int64 {
	return max(0, int64(memoryInUse())-int64(m.baseRSS)) / int64(len(m.ranks))
}
