package line

import (
	"errors"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
)

// Keys of ranks that share nodes, in which messages take and cost less, or more.

const noNodes = "none"

// nodesKey says over how many nodes ranks are spread.
var nodesKey = Key{
	Name:    "nodes",
	Default: noNodes,
	Values:  fmt.Sprintf("none, 1 to %d", clock.MaxRanks),
	Help:    "nodes that ranks share, in blocks; network is between them",
	Check:   Parses(parseNodes),
}

var (
	insideLatency  = AutoTimeKey("Lin", 1, uint64(clock.MaxCost), "latency inside a node, in ticks; auto: L").withAlias("latency-inside")
	insideOverhead = AutoTimeKey("oin", 1, uint64(clock.MaxCost), "overhead inside a node, in ticks; auto: o").withAlias("overhead-inside")
)

// countOfNodes is the key for a number of them.
var countOfNodes = NumberKey("nodes", 1, 1, clock.MaxRanks, "")

// parseNodes reads how many nodes there are; 0 for none.
func parseNodes(text string) (n int, err error) {
	if text == noNodes {
		return 0, nil
	}
	if countOfNodes.Check(text) != nil {
		return 0, errors.New("want " + noNodes + " or a number from 1 to " + fmt.Sprint(clock.MaxRanks))
	}
	_, err = fmt.Sscan(text, &n)
	return n, err
}

// nodes is how many nodes ranks share; 0: none.
func (s Settings) nodes() int { return Parsed(s, nodesKey.Name, parseNodes) }

// inside is what messages take and cost inside a node.
func (s Settings) inside() clock.Local {
	return clock.Local{
		Latency:  AutoNumber(s, insideLatency.Name, s.Ticks("L")),
		Overhead: AutoNumber(s, insideOverhead.Name, s.Ticks("o")),
	}
}

// checkNodes says what is wrong with the nodes of a line whose keys are valid one by one.
func (s Settings) checkNodes() error {
	nodes := s.nodes()
	if nodes == 0 {
		for _, key := range []string{insideLatency.Name, insideOverhead.Name} {
			if s.Typed(key) && s.Text(key) != "auto" {
				return fmt.Errorf("%s: there are no nodes to be inside of; want a number of them, such as nodes=16", Quote(key+"="+s.Text(key)))
			}
		}
		return nil
	}
	word := Quote(nodesKey.Name + "=" + s.Text(nodesKey.Name))
	if ranks := s.Int("P"); nodes > ranks {
		return fmt.Errorf("%s: more nodes than the ranks, P=%d; want 1 to %d", word, ranks, ranks)
	}
	if s.Text(insideLatency.Name) == "auto" && s.Text(insideOverhead.Name) == "auto" {
		return fmt.Errorf("%s: L and o are the same inside of them as between them; want Lin or oin, too", word)
	}
	if receives.Of(s, "receive") {
		return fmt.Errorf("%s: with receive=many messages would come out of order where o differs; want receive=one", word)
	}
	return nil
}

// onNodes is the network of ranks that share nodes, if they do.
func (s Settings) onNodes(between clock.Network) (clock.Network, error) {
	nodes := s.nodes()
	if nodes == 0 {
		return between, nil
	}
	if between == nil {
		between = clock.Uniform(s.Ticks("L"))
	}
	bounded, ok := between.(clock.Bounded)
	if !ok {
		return nil, errors.New("all messages pass the switch there, also those inside of nodes; want another network, or nodes=none")
	}
	if sized, ok := between.(clock.Sized); ok && nodes > sized.Nodes() {
		return nil, fmt.Errorf("%d nodes there, and nodes=%d; want up to %d", sized.Nodes(), nodes, sized.Nodes())
	}
	return clock.Nodes{Ranks: s.Int("P"), Nodes: nodes, Between: bounded, Inside: s.inside()}, nil
}
