package collective

import "github.com/mangrove-emu/mangrove/protocols/internal/varint"

// Backups (thesis, section 3.5): who has sent its value has nothing to do any more. It gets back
// the result that its value went into, and keeps it. If the rank that it came from fails, the one
// that takes over asks the children of the task who of them has the latest.

// offers decides whether backups are kept, and after a failure tells the ranks that have taken
// over tasks what is kept of these.
func (r *reduction[T]) offers(o *operation, s shape) (withBackup bool) {
	withBackup = r.keepsBackups(o)
	if !withBackup || !o.again {
		return withBackup
	}
	for _, task := range o.mine {
		if task == s.root || o.Does(s.parent(task)) || !o.lostTask(s.parent(task)) {
			continue
		}
		levels := r.kept[s.parent(task)].levels
		if s.levels(s.parent(task))[max(0, levels-1)] != task {
			levels = 0 // another of this rank's tasks offers it
		}
		o.send(offer, task, s.parent(task), string(varint.Append(nil, levels)))
	}
	return true
}

// keepsBackups is the same on all ranks.
func (r *reduction[T]) keepsBackups(o *operation) bool {
	if o.strategy == Plain || o.strategy == Optimistic && !o.again && o.Whole() {
		return false
	}
	return o.backups
}

// bestBackup is how many levels the best backup of a task has that another rank keeps; 0 if none
// is wanted or there is none.
func (r *reduction[T]) bestBackup(o *operation, s shape, task int, of demand, withBackup bool) (best int) {
	if !withBackup || !o.again || of != itsValue || !o.lostTask(task) || r.partial[task] != nil {
		return 0
	}
	if own, ok := r.kept[task]; ok { // this rank keeps one itself
		r.partial[task] = &partial[T]{decode[T](own.payload), own.levels}
	}
	for _, child := range s.levels(task) {
		if !o.Does(child) {
			offered := varint.Reader{Rest: o.receive(offer, child, task)}
			best = max(best, offered.Number())
		}
	}
	return best
}

// keep receives the backups for what this rank has sent. It comes last, when nobody waits for this
// rank any more.
func (r *reduction[T]) keep(o *operation, s shape, sent []int) {
	for _, task := range sent {
		above := s.parent(task)
		payload := o.receive(backup, above, task)
		for level, child := range s.levels(above) {
			if child == task && level+1 > r.kept[above].levels {
				r.kept[above] = kept{payload, level + 1}
			}
		}
	}
}
