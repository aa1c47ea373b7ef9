package emu

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/internal/room"
)

// Limit is something that has room for so many bytes more: a host, or a control group. Processes that name the same ID share it.
type Limit = room.Limit

// Limits are all that limit the memory of this process, as far as that is known.
func Limits() []Limit { return room.Limits() }

// claim is what a process needs, and what limits it.
type claim struct {
	Need   Need    `json:"need"`
	Limits []Limit `json:"limits"`
}

// exchangeClaims returns those of all processes.
func exchangeClaims(own claim, group parts.Group) ([]claim, error) {
	text, err := json.Marshal(own)
	if err != nil {
		return nil, err
	}
	in, err := group.Exchange(slices.Repeat([][]byte{text}, group.Count()))
	if err != nil {
		return nil, err
	}
	all := make([]claim, len(in))
	for process := range in {
		if err := json.Unmarshal(in[process], &all[process]); err != nil {
			return nil, fmt.Errorf("emu: what process %d needs: %w", process, err)
		}
	}
	return all, nil
}

// sharedLimit is what limits some processes together.
type sharedLimit struct {
	Limit
	processes []int
	most      int // ranks of the machine that fit
}

// sharedLimits are what limits the processes. Each looks at its own time, while others begin to use memory: the least is what there is.
func sharedLimits(all []claim) (shared []sharedLimit) {
	places := make(map[string]int)
	for process := range all {
		for _, limit := range all[process].Limits {
			place, known := places[limit.ID]
			if !known {
				place = len(shared)
				places[limit.ID] = place
				shared = append(shared, sharedLimit{Limit: limit})
			}
			l := &shared[place]
			l.Bytes = min(l.Bytes, limit.Bytes)
			l.processes = append(l.processes, process)
		}
	}
	return shared
}

// need is what the processes that share the limit take together, of a machine of that many ranks.
func (l *sharedLimit) need(n *Need, processes, ranks int) (bytes float64) {
	for _, process := range l.processes {
		bytes += n.bytes(process, processes, ranks)
	}
	return bytes
}

// largest is the largest number of ranks whose machine fits.
func (l *sharedLimit) largest(n *Need, processes int) int {
	return sort.Search(clock.MaxRanks, func(less int) bool { return l.need(n, processes, less+1) > float64(l.Bytes) })
}
