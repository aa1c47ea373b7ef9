package collective

import "github.com/mangrove-emu/mangrove/protocols/internal/varint"

// AllGather gives all ranks what all tasks bring, by task: a gather, then a broadcast.
func AllGather[T any](t *Team, in Input[[]T]) ([][]T, error) {
	blocks, err := Gather(t, 0, in)
	if err != nil {
		return nil, err
	}
	again := func() (err error) {
		blocks, err = Gather(t, 0, in)
		return err
	}
	payload, err := Broadcast(t, 0, Input[[]byte]{
		Of:   func(int) []byte { return flatten(blocks) },
		Lost: rootLost(in.Lost, again),
	})
	if err != nil {
		return nil, err
	}
	return unflatten[T](payload, t.Tasks()), nil
}

// AllReduce gives all ranks the result of a reduce: a reduce, then a broadcast.
func AllReduce[T any](t *Team, in Input[[]T], combine Operation[T]) ([]T, error) {
	result, err := Reduce(t, 0, in, combine)
	if err != nil {
		return nil, err
	}
	again := func() (err error) {
		result, err = Reduce(t, 0, in, combine)
		return err
	}
	return Broadcast(t, 0, Input[[]T]{
		Of:   func(int) []T { return result },
		Lost: rootLost(in.Lost, again),
	})
}

// Barrier returns when all ranks that are left have called it.
func Barrier(t *Team) error {
	_, err := AllReduce(t, Given(func(int) []byte { return nil }), func(_, _ []byte) []byte { return nil })
	return err
}

// rootLost repeats what the root has to say if task 0 was lost. All other ranks still have what
// they had brought to it.
func rootLost(restore func([]int) error, again func() error) func([]int) error {
	return func(tasks []int) error {
		if restore != nil {
			if err := restore(tasks); err != nil {
				return err
			}
		}
		if tasks[0] != 0 {
			return nil
		}
		return again()
	}
}

// flatten writes blocks of elements one after the other.
func flatten[T any](blocks [][]T) (payload []byte) {
	for _, block := range blocks {
		payload = varint.AppendText(payload, encode(block))
	}
	return payload
}

func unflatten[T any](payload []byte, tasks int) [][]T {
	r := varint.Reader{Rest: string(payload)}
	blocks := make([][]T, tasks)
	for task := range blocks {
		blocks[task] = decode[T](r.Text())
	}
	return blocks
}
