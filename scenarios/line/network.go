package line

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
)

// networkMaker makes a network out of what stands behind its name. L is the latency of a hop,
// or of the way to a switch and from it.
type networkMaker struct {
	form string // with an example's numbers
	make func(arguments string, latency clock.Time, unit Unit) (clock.Network, error)
}

// networks is the table of network models. A new one needs a line here and a function.
var networks = Choices[networkMaker]{
	{"uniform", networkMaker{"uniform", makeUniform}},
	{"torus", networkMaker{"torus:8x8x16 or torus:8x8x16:zyx", makeTorus}},
	{"mesh", networkMaker{"mesh:4x4x4 or mesh:4x4x4:zyx", makeMesh}},
	{"fattree", networkMaker{"fattree:16x3", makeFatTree}},
	{"switch", networkMaker{"switch:2", makeSwitch}},
}

const networkForms = "uniform, torus:8x8x16, torus:8x8x16:zyx, mesh:4x4x4, fattree:16x3 or switch:2"

// networkKey says how long messages are under way.
var networkKey = Key{
	Name:    "network",
	Default: networks[0].Name,
	Values:  networkForms,
	Help:    "how long messages are under way; L is for a hop",
	Check: func(value string) error {
		// A real latency and tick are known when the whole line is read.
		n, err := parseNetwork(value, 1, 1)
		if err == nil {
			err = checkNetwork(n)
		}
		return err
	},
}

// parseNetwork makes a network; nil for a uniform one.
func parseNetwork(text string, latency clock.Time, unit Unit) (clock.Network, error) {
	name, arguments, _ := strings.Cut(text, ":")
	maker, ok := networks.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("want %s%s", networkForms, Suggest(name, networks.Names()))
	}
	n, err := maker.make(arguments, latency, unit)
	if errors.Is(err, errForm) {
		return nil, errors.New("want " + maker.form)
	}
	return n, err
}

// errForm says that what stands behind the name of a network has not the right form.
var errForm = errors.New("wrong form")

// checkNetwork says what is wrong with the numbers of a network.
func checkNetwork(n clock.Network) error {
	checked, ok := n.(interface{ Validate() error })
	if !ok {
		return nil
	}
	return checked.Validate()
}

func makeUniform(arguments string, _ clock.Time, _ Unit) (clock.Network, error) {
	if arguments != "" {
		return nil, errForm
	}
	return nil, nil
}

func makeTorus(arguments string, latency clock.Time, _ Unit) (clock.Network, error) {
	sizes, order, ordered := strings.Cut(arguments, ":")
	n, err := parseSizes(sizes, 3)
	if err != nil {
		return nil, err
	}
	t := clock.Torus{X: n[0], Y: n[1], Z: n[2], PerHop: latency}
	if !ordered {
		return t, nil
	}
	t.Order, err = clock.ParseOrder(order)
	return t, err
}

func makeMesh(arguments string, latency clock.Time, unit Unit) (clock.Network, error) {
	n, err := makeTorus(arguments, latency, unit)
	if err != nil {
		return nil, err
	}
	mesh := n.(clock.Torus)
	mesh.Mesh = true
	return mesh, nil
}

func makeFatTree(arguments string, latency clock.Time, _ Unit) (clock.Network, error) {
	n, err := parseSizes(arguments, 2)
	if err != nil {
		return nil, err
	}
	return clock.FatTree{Arity: n[0], Levels: n[1], PerHop: latency}, nil
}

// makeSwitch splits L: half of it, rounded down, is the way to the switch, the rest that from
// it. A message that need not wait takes L and the service time.
func makeSwitch(arguments string, latency clock.Time, unit Unit) (clock.Network, error) {
	if isTime(arguments) {
		ticks, err := unit.ticks(arguments)
		return clock.Switch{In: latency / 2, Service: clock.Time(ticks), Out: latency - latency/2}, err
	}
	n, err := parseSizes(arguments, 1)
	if err != nil {
		return nil, err
	}
	return clock.Switch{In: latency / 2, Service: clock.Time(n[0]), Out: latency - latency/2}, nil
}

// parseSizes reads so many numbers, such as 8x8x16.
func parseSizes(text string, count int) ([]int, error) {
	parts := strings.Split(text, "x")
	if len(parts) != count {
		return nil, errForm
	}
	sizes := make([]int, count)
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 62)
		if err != nil || part != strconv.FormatUint(n, 10) {
			return nil, errForm
		}
		sizes[i] = int(n)
	}
	return sizes, nil
}

// Network returns how long messages are under way; nil if it is L for all pairs.
func (s Settings) Network() clock.Network { return Parsed(s, networkKey.Name, s.parseNetwork) }

// parseNetwork makes a network with the latency, the tick and the nodes of the line.
func (s Settings) parseNetwork(text string) (clock.Network, error) {
	between, err := parseNetwork(text, s.Ticks("L"), s.Unit())
	if err != nil {
		return nil, err
	}
	return s.onNodes(between)
}

// checkNetwork says what is wrong with the network of a line whose keys are valid one by one.
func (s Settings) checkNetwork() error {
	n, err := s.parseNetwork(s.Text(networkKey.Name))
	if err == nil {
		err = checkNetwork(n)
	}
	if sized, ok := n.(clock.Sized); err == nil && ok && s.Int("P") > sized.Nodes() {
		err = fmt.Errorf("%d nodes, and P=%d ranks; want P up to %d, or more nodes", sized.Nodes(), s.Int("P"), sized.Nodes())
	}
	return err
}

// NetworkWord shows what the line or its file says about the network. With nodes they are what matters.
func (s Settings) NetworkWord() string {
	if s.nodes() > 0 && !s.Typed(networkKey.Name) {
		return Quote(nodesKey.Name + "=" + s.Text(nodesKey.Name))
	}
	word := Quote(networkKey.Name + "=" + s.Text(networkKey.Name))
	if _, ok := s.file[networkKey.Name]; ok && !s.Typed(networkKey.Name) {
		word += " of " + Quote(machineKey.Name+"="+s.Text(machineKey.Name))
	}
	return word
}

// longestLatency is how long a message is under way at most, if nothing holds it up.
func (s Settings) longestLatency() clock.Time {
	switch n := s.Network().(type) {
	case nil:
		return s.Ticks("L")
	case clock.Bounded:
		return n.MaxLatency()
	default:
		return n.MinLatency()
	}
}
