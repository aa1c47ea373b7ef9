package collective

// Broadcast gives all ranks what one task brings (algorithm 1). A rank with several tasks gets it
// once.
func Broadcast[T any](t *Team, root int, in Input[[]T]) ([]T, error) {
	b := broadcast{restore: func() string { return encode(in.Of(root)) }}
	err := t.perform("broadcast", in.Since, in.Lost, func(o *operation) { b.run(o, root) })
	if err != nil {
		return nil, err
	}
	return decode[T](b.message), nil
}

// broadcast is what a rank has of a broadcast.
type broadcast struct {
	restore func() string
	has     bool
	message string
}

// run goes down the tree. A rank's message comes to its first task, the one nearest to the root:
// the rank that it comes from has one still nearer, so nobody waits for itself.
func (b *broadcast) run(o *operation, root int) {
	s := o.shape(root)
	receivers := b.receivers(o, s)
	if o.Does(root) && !b.has {
		b.has, b.message = true, b.restore()
	}
	if first := s.firstOf(o, o.me()); !b.has {
		b.message = o.receive(values, s.parent(first), first)
		b.has = true
	}
	for _, to := range receivers {
		o.send(values, s.parent(to), to, b.message)
	}
}

// receivers are the tasks that this rank sends the message to. Each is the first of its rank; none is this rank's
// own, as the first of those stands above the others. After a failure their ranks say whether they still need it.
func (b *broadcast) receivers(o *operation, s shape) (all []int) {
	if first := s.firstOf(o, o.me()); o.again && first != s.root {
		o.send(needed, first, s.parent(first), yes(!b.has))
	}
	for _, task := range s.downwards(o.mine) {
		for _, child := range s.children(task) {
			if s.firstOf(o, o.owner(child)) != child {
				continue
			}
			if !o.again || o.receive(needed, child, task) == yes(true) {
				all = append(all, child)
			}
		}
	}
	return all
}

// yes is the shortest answer there is.
func yes(well bool) string {
	if well {
		return "y"
	}
	return "n"
}

// firstOf is the task of a rank of the machine that is nearest to the root.
func (s shape) firstOf(o *operation, machineRank int) int {
	if o.Whole() { // it has one
		task, _ := o.first.Member(machineRank)
		return task
	}
	tasks := o.mine
	if machineRank != o.me() {
		tasks = o.tasksOf(machineRank)
	}
	return s.downwards(tasks)[0]
}
