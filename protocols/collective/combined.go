package collective

import "github.com/mangrove-emu/mangrove/protocols/internal/varint"

// AllGather gives all ranks what all tasks bring, by task: a gather, then a broadcast.
func AllGather[T any](t *Team, in Input[[]T]) ([][]T, error) {
	payload, err := thenBroadcast(t, in.Lost, func() ([]byte, error) {
		blocks, err := Gather(t, 0, in)
		return flatten(blocks), err
	})
	if err != nil {
		return nil, err
	}
	return unflatten[T](payload, t.Tasks()), nil
}

// AllReduce gives all ranks the result of a reduce: a reduce, then a broadcast.
func AllReduce[T any](t *Team, in Input[[]T], combine Operation[T]) ([]T, error) {
	return thenBroadcast(t, in.Lost, func() ([]T, error) { return Reduce(t, 0, in, combine) })
}

// Barrier returns when all ranks that are left have called it.
func Barrier(t *Team) error {
	_, err := AllReduce(t, Given(func(int) []byte { return nil }), func(_, _ []byte) []byte { return nil })
	return err
}

// thenBroadcast gives all ranks what an operation leaves at task 0. If that task is lost the operation is
// repeated: all other ranks still have what they had brought to it.
func thenBroadcast[T any](t *Team, lost func([]int) error, operation func() ([]T, error)) ([]T, error) {
	result, err := operation()
	if err != nil {
		return nil, err
	}
	return Broadcast(t, 0, Input[[]T]{
		Of: func(int) []T { return result },
		Lost: func(tasks []int) (err error) {
			if lost != nil {
				err = lost(tasks)
			}
			if err == nil && tasks[0] == 0 {
				result, err = operation()
			}
			return err
		},
	})
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
