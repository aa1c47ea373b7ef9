package tcp

import (
	"context"
	"fmt"
)

// A job needs no coordinator of its own if its processes know a list of addresses: process 0 is
// the host of one then, at its own address.

// Host makes this node the host of the coordinator. Process 0 calls it, and then JoinList like all
// others; it starts the run, waits for the result and closes the coordinator before the node.
func (n *Node) Host(d Detection, initiators []int) (*Coordinator, error) {
	if n.cfg.Process != 0 {
		return nil, fmt.Errorf("tcp: process %d as host of the coordinator, want process 0, whom others look for", n.cfg.Process)
	}
	c, err := newCoordinator(CoordinatorConfig{Job: n.cfg.Job, Detection: d, Initiators: initiators, Log: n.cfg.Log})
	if err != nil {
		return nil, err
	}
	n.host.Store(c)
	return c, nil
}

// JoinList is Join for a job whose processes have agreed on where they are: their addresses, by
// process. This one must listen at its own.
func (n *Node) JoinList(ctx context.Context, addresses []string) error {
	if len(addresses) != n.cfg.Processes {
		return fmt.Errorf("tcp: %d addresses for %d processes, want one for each", len(addresses), n.cfg.Processes)
	}
	n.address = addresses[n.cfg.Process]
	return n.JoinHost(ctx, addresses[0])
}

// JoinHost is Join for a job whose process 0 is the host of the coordinator, at this address.
func (n *Node) JoinHost(ctx context.Context, address string) error { return n.joinAt(ctx, address, 0) }
