package ulfm

import (
	"encoding/binary"
	"fmt"
)

// Op combines two numbers. It must be associative and commutative, as those of MPI are unless a program says otherwise.
type Op func(a, b int64) int64

// Sum is MPI_SUM; the others are those of the same names.
func Sum(a, b int64) int64 { return a + b }

// Prod multiplies.
func Prod(a, b int64) int64 { return a * b }

// Max is the larger of two.
func Max(a, b int64) int64 { return max(a, b) }

// Min is the smaller of two.
func Min(a, b int64) int64 { return min(a, b) }

// Band is the bitwise and.
func Band(a, b int64) int64 { return a & b }

// Bor is the bitwise or.
func Bor(a, b int64) int64 { return a | b }

// Land is the logical and: 1 if neither is 0.
func Land(a, b int64) int64 { return truth(a != 0 && b != 0) }

// Lor is the logical or: 1 if one is not 0.
func Lor(a, b int64) int64 { return truth(a != 0 || b != 0) }

func truth(holds bool) int64 {
	if holds {
		return 1
	}
	return 0
}

// Reduce combines what all members have, element by element, for the root; others get nil. All bring as many numbers. See [Comm.Bcast]
// on errors.
func (c *Comm) Reduce(values []int64, op Op, root int) ([]int64, error) {
	c.begin("Reduce")
	r := c.reduce("Reduce", values, op, root)
	_, err := r.wait()
	return r.values(err), err
}

// Ireduce begins a [Comm.Reduce]. When the request is complete its [Request.Values] are the result.
func (c *Comm) Ireduce(values []int64, op Op, root int) *Request {
	c.begin("Ireduce")
	return c.r.goOn(c.reduce("Ireduce", values, op, root))
}

func (c *Comm) reduce(call string, values []int64, op Op, root int) *Request {
	p := c.inTree(call, root, packed(values))
	p.gather = combining(call, op)
	return p.start()
}

// Allreduce combines what all members have, element by element, for all of them. See [Comm.Reduce].
func (c *Comm) Allreduce(values []int64, op Op) ([]int64, error) {
	c.begin("Allreduce")
	r := c.allreduce("Allreduce", values, op)
	_, err := r.wait()
	return r.values(err), err
}

// Iallreduce begins an [Comm.Allreduce]. When the request is complete its [Request.Values] are the result.
func (c *Comm) Iallreduce(values []int64, op Op) *Request {
	c.begin("Iallreduce")
	return c.r.goOn(c.allreduce("Iallreduce", values, op))
}

func (c *Comm) allreduce(call string, values []int64, op Op) *Request {
	p := c.inTree(call, 0, packed(values))
	p.gather, p.share = combining(call, op), whole
	return p.start()
}

// Scan combines, for each member, what it has and what the members before it have. See [Comm.Reduce].
func (c *Comm) Scan(values []int64, op Op) ([]int64, error) {
	c.begin("Scan")
	combine := combining("Scan", op)
	p := &passing{c: c, call: "Scan", parent: c.me - 1, own: packed(values), share: whole}
	p.take = func(own, above string) string { return combine(above, []string{own}) }
	if c.me == 0 {
		p.parent = None
	}
	if c.me+1 < c.Size() {
		p.children = []int{c.me + 1}
	}
	r := p.start()
	_, err := r.wait()
	return r.values(err), err
}

// combining combines what has come with what is there.
func combining(call string, op Op) func(own string, below []string) string {
	return func(own string, below []string) string {
		sum := unpacked(own)
		for _, b := range below {
			other := unpacked(b)
			if len(other) != len(sum) {
				panic(fmt.Sprintf("ulfm: %s of %d numbers and of %d, want as many on all members", call, len(sum), len(other)))
			}
			for i := range sum {
				sum[i] = op(sum[i], other[i])
			}
		}
		return packed(sum)
	}
}

// packed puts numbers into a message, 8 bytes each.
func packed(values []int64) string {
	buffer := make([]byte, 0, 8*len(values))
	for _, v := range values {
		buffer = binary.LittleEndian.AppendUint64(buffer, uint64(v))
	}
	return string(buffer)
}

func unpacked(text string) []int64 {
	values := make([]int64, len(text)/8)
	for i := range values {
		values[i] = int64(binary.LittleEndian.Uint64([]byte(text[8*i : 8*i+8])))
	}
	return values
}
