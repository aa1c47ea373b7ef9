package launch

import (
	"context"
	"time"

	"github.com/mangrove-emu/mangrove/faults"
)

// restartFailed starts processes again when their ranks are to rejoin. The run is not over before.
func (l *launcher) restartFailed(ctx context.Context) {
	due := l.job.Faults.Rejoins()
	if len(due) == 0 || !signals(l.job) {
		return
	}
	release := l.coordinator.Hold()
	l.background.Go(func() {
		defer release()
		for _, f := range due {
			if !l.await(ctx, f) {
				return
			}
			l.restart(ctx, f)
		}
	})
}

// await waits for the instant of a rejoin; false if the run ended.
func (l *launcher) await(ctx context.Context, f *faults.Fault) bool {
	select {
	case <-time.After(l.coordinator.Until(f.At.Time)):
		return true
	case <-ctx.Done():
		return false
	}
}

// dying is how long it takes at most until a process that has said that it fails is gone.
const dying = time.Minute

// restart starts the process of a rank again, if that has failed before.
func (l *launcher) restart(ctx context.Context, f *faults.Fault) {
	if !l.coordinator.AwaitFailure(ctx, f.Rank, f.At.Time) {
		return
	}
	process := f.Rank // there is one for each
	l.starter(process).kill(process)
	ctx, cancel := context.WithTimeout(ctx, dying)
	defer cancel()
	life, err := l.coordinator.Expect(ctx, process, f.At.Time)
	if err == nil {
		if err = l.start(process, life); err != nil {
			l.coordinator.GiveUp(process, life)
		}
	}
	if err != nil {
		l.log(err.Error())
	}
}
