package emu_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// runInParts runs a program on a machine of several parts, and returns what each of them does.
func runInParts(ctx context.Context, cfg emu.Config, count int, program protocols.Program, opts emu.Options) ([]*report.Report, []error) {
	reports, errs := make([]*report.Report, count), make([]error, count)
	group, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	var wait sync.WaitGroup
	for i, part := range parts.InProcess(group, count) {
		wait.Go(func() {
			cfg := cfg
			cfg.Part = part
			m, err := emu.New(cfg)
			if err == nil {
				reports[i], err = m.Run(ctx, program, opts)
			}
			if errs[i] = err; err != nil {
				cancel(err)
			}
		})
	}
	wait.Wait()
	return reports, errs
}

// A run is the same however many parts share its ranks.
func TestPartsDoTogetherWhatOneMachineDoes(t *testing.T) {
	for seed := range thorough.Times(uint64(600)) {
		random := rand.New(rand.NewPCG(seed, 23))
		cfg := someConfig(random)
		if random.IntN(5) == 0 {
			cfg.Network = someSwitch(random)
		}
		program := babble(20)
		if random.IntN(3) > 0 {
			cfg.Detection = someDetector(random, cfg)
			program = babbleOfFailures(15)
		}
		cfg.Workers = 1 + random.IntN(2)
		opts := emu.Options{Seed: seed, Faults: someFaults(random, cfg.Ranks, random.IntN(8))}
		want := mustRun(t, cfg, program, opts)
		count := []int{2, 3, 7}[seed%3]
		about := fmt.Sprintf("seed %d, %d parts, %+v, %+v, network %v, faults %v", seed, count, cfg.LogP, cfg.Detection, cfg.Network, opts.Faults)
		reports, errs := runInParts(t.Context(), cfg, count, program, opts)
		for _, err := range errs {
			require.NoError(t, err, about)
		}
		got := reports[0]
		requireSameEvents(t, want.Events, got.Events, about)
		got.Wall, got.BytesPerRank = want.Wall, want.BytesPerRank
		require.Equal(t, want, got, about)
	}
}
