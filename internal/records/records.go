package records

import (
	"maps"
	"slices"
)

// Change is a change of one record.
type Change struct {
	Name    string
	Value   string
	Deleted bool // in place of being given a value
}

// Records are those of one rank. The zero Records are none.
type Records struct {
	seen   map[string]string // as its program sees them
	unsafe []Change          // those that are not safe, in the order in which they were made
	before []Change          // what undoes each of them
}

// Change makes a change, which is not safe.
func (r *Records) Change(c Change) {
	if r.seen == nil {
		r.seen = make(map[string]string)
	}
	value, ok := r.seen[c.Name]
	r.unsafe, r.before = append(r.unsafe, c), append(r.before, Change{c.Name, value, !ok})
	c.apply(r.seen)
}

func (c *Change) apply(to map[string]string) {
	if c.Deleted {
		delete(to, c.Name)
		return
	}
	to[c.Name] = c.Value
}

// Unsafe are the changes that are not safe, in the order in which they were made.
func (r *Records) Unsafe() []Change { return r.unsafe }

// Sync makes all changes safe.
func (r *Records) Sync() { r.unsafe, r.before = r.unsafe[:0], r.before[:0] }

// Fail is the end of a life: of the changes that are not safe, numbered from 1, those are lost that are not kept. It returns how many.
func (r *Records) Fail(kept func(change int) bool) (lost int) {
	for _, undo := range slices.Backward(r.before) {
		undo.apply(r.seen)
	}
	for i := range r.unsafe {
		if kept(i + 1) {
			r.unsafe[i].apply(r.seen)
			continue
		}
		lost++
	}
	r.Sync()
	return lost
}

// Read returns the value under a name.
func (r *Records) Read(name string) (value string, ok bool) {
	value, ok = r.seen[name]
	return value, ok
}

// Names lists the names of all records, sorted.
func (r *Records) Names() []string { return slices.Sorted(maps.Keys(r.seen)) }
