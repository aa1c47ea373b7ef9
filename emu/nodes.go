package emu

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/internal/cells"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Ranks that share a node have an overhead of their own. Windows rely on the smallest: what is sent in one arrives the shortest
// send and latency after its begin or later, and what arrives later than that is received the shortest receive later still.

// costsOf are what ports charge for a message from one rank to another; most machines have no nodes.
func (m *Machine) costsOf(from, to int) *clock.Costs {
	if m.nodes != nil && m.nodes.Shared(from, to) {
		return &m.inside
	}
	return &m.costs
}

// pairLatency asks the network, without a copy of the nodes on the small stack of a rank.
func (m *Machine) pairLatency(from, to int) clock.Time {
	n := m.nodes
	if n == nil {
		return m.cfg.Network.Latency(from, to)
	}
	if here, there := n.Node(from), n.Node(to); here != there {
		return n.Between.Latency(here, there)
	}
	return n.Inside.Latency
}

// costsOfMail are what receiving a message costs. Notices come from nobody, and cost as little as messages can.
func (r *rank) costsOfMail(c *cells.Cell) *clock.Costs {
	m := r.m
	switch {
	case m.nodes == nil:
		return &m.costs
	case c.Kind != protocols.Failed:
		return m.costsOf(int(c.From), int(r.id))
	case m.inside.Overhead < m.costs.Overhead:
		return &m.inside
	}
	return &m.costs
}
