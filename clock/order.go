package clock

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/internal/problems"
)

// Order says how ranks are laid out in three dimensions: the first coordinate changes
// fastest from one rank to the next, the last one slowest.
type Order uint8

// The orders. The zero Order is XYZ.
const (
	XYZ Order = iota
	XZY
	YXZ
	YZX
	ZXY
	ZYX
)

// orders has each order's name, and its coordinates as 0, 1, 2 for x, y, z, fastest first.
var orders = [...]struct {
	name string
	axes [3]uint8
}{
	XYZ: {"xyz", [3]uint8{0, 1, 2}},
	XZY: {"xzy", [3]uint8{0, 2, 1}},
	YXZ: {"yxz", [3]uint8{1, 0, 2}},
	YZX: {"yzx", [3]uint8{1, 2, 0}},
	ZXY: {"zxy", [3]uint8{2, 0, 1}},
	ZYX: {"zyx", [3]uint8{2, 1, 0}},
}

// ParseOrder reads what String prints.
func ParseOrder(name string) (Order, error) {
	for o := range orders {
		if orders[o].name == name {
			return Order(o), nil
		}
	}
	return 0, problems.New("clock", "order %q, want xyz, xzy, yxz, yzx, zxy or zyx", name)
}

// String lists the coordinates, fastest first.
func (o Order) String() string {
	if int(o) >= len(orders) {
		return fmt.Sprintf("Order(%d)", uint8(o))
	}
	return orders[o].name
}
