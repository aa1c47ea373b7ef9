package conformance

import (
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Collective operations on whole numbers.

// bcast gives all what the root has.
func (r *Rank) bcast(c *ulfm.Comm, root int, values ...int64) ([]int64, error) {
	got, err := c.Bcast(written(values), root)
	return read(got), err
}

// reduce combines one value of each at the root.
func (r *Rank) reduce(c *ulfm.Comm, root int, value int64, combine ulfm.Op) (int64, error) {
	return only(c.Reduce([]int64{value}, combine, root))
}

// allreduce combines one value of each, for all.
func (r *Rank) allreduce(c *ulfm.Comm, value int64, combine ulfm.Op) (int64, error) {
	return only(c.Allreduce([]int64{value}, combine))
}

// gather brings one value of each to the root, in the order of ranks.
func (r *Rank) gather(c *ulfm.Comm, root int, value int64) (all []int64, err error) {
	blocks, err := c.Gather(written([]int64{value}), root)
	for _, block := range blocks {
		all = append(all, read(block)...)
	}
	return all, err
}

// scatter gives each its block of what the root has.
func (r *Rank) scatter(c *ulfm.Comm, root int, blocks [][]int64) ([]int64, error) {
	parts := make([]string, len(blocks))
	for i, block := range blocks {
		parts[i] = written(block)
	}
	got, err := c.Scatter(parts, root)
	return read(got), err
}

func written(values []int64) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = strconv.FormatInt(v, 10)
	}
	return strings.Join(words, " ")
}

func read(text string) (values []int64) {
	for word := range strings.FieldsSeq(text) {
		v, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			panic("conformance: " + err.Error())
		}
		values = append(values, v)
	}
	return values
}

func only(values []int64, err error) (int64, error) {
	if len(values) == 0 {
		return 0, err
	}
	return values[0], err
}
