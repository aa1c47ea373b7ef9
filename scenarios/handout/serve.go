package handout

import (
	"context"
	"sync"

	"github.com/mangrove-emu/mangrove/emu/parts"
)

// Serve does tasks that the office hands out, so many at a time, until it says that there are no more. Tasks that nobody waits for any more are
// cancelled then. An error says that the office cannot be reached; those of tasks are the office's.
func Serve(ctx context.Context, group parts.Mail, hands int, do func(ctx context.Context, task []byte) ([]byte, error)) error {
	if err := group.Send(0, pack(hello, uint64(hands), nil)); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	var wait sync.WaitGroup
	defer wait.Wait()
	defer cancel()
	for {
		_, message, err := group.Receive()
		if err != nil {
			return err
		}
		k, number, content, err := unpack(message)
		switch {
		case err != nil:
			return err
		case k == end:
			cancel()
			wait.Wait()
			return group.Send(0, pack(bye, 0, nil))
		}
		wait.Go(func() {
			done, err := do(ctx, content)
			answer := pack(result, number, done)
			if err != nil {
				answer = pack(failed, number, []byte(err.Error()))
			}
			_ = group.Send(0, answer) // if the office cannot be reached, the next Receive says so
		})
	}
}
