package emu_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/proctest"
	"github.com/mangrove-emu/mangrove/report"
)

// A conforming machine must not depend on how it is driven.
func TestEmulatorKeepsTheContractOfProc(t *testing.T) {
	variants := []struct {
		name string
		cfg  emu.Config
	}{
		{"1 worker", emu.Config{Workers: 1}},
		{"2 workers", emu.Config{Workers: 2}},
		{"7 workers", emu.Config{Workers: 7}},
		{"eager", emu.Config{Workers: 2, Eager: true}},
		{"traced", emu.Config{Workers: 2, Trace: emu.TraceEvents}},
	}
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			proctest.Test(t, emulator(t, func(params clock.LogP) (*emu.Machine, error) {
				cfg := v.cfg
				cfg.LogP = params
				return emu.New(cfg)
			}))
		})
	}
}

// A network that is not known to be uniform is asked about every message.
func TestEmulatorKeepsTheContractOfProcOnAnyNetwork(t *testing.T) {
	proctest.Test(t, emulator(t, func(params clock.LogP) (*emu.Machine, error) {
		return emu.New(emu.Config{LogP: params, Workers: 2, Network: network{params.Latency}})
	}))
}

// Observers of a failure may know of it at the same time or not.
func TestEmulatorKeepsTheContractOfDetector(t *testing.T) {
	for _, spread := range []clock.Time{0, 1, 9, 90} {
		for _, workers := range []int{1, 2, 7} {
			machine := emulator(t, func(params clock.LogP) (*emu.Machine, error) {
				delay := params.Delivery()
				return emu.New(emu.Config{LogP: params, Workers: workers, Detection: emu.Detection{Delay: delay, Spread: delay.Times(int(spread))}})
			})
			machine.Detects = true
			for _, c := range proctest.Cases() {
				if c.Detector {
					assert.NoError(t, c.Check(machine), "%s, spread %d, %d workers", c.Name, spread, workers)
				}
			}
		}
	}
}

// Ranks that rest between runs must not remember anything.
func TestEmulatorKeepsTheContractOfProcWhenKept(t *testing.T) {
	proctest.Test(t, emulator(t, func(params clock.LogP) (*emu.Machine, error) {
		machine, err := emu.New(emu.Config{LogP: params, Workers: 2})
		if err == nil {
			machine.Keep()
		}
		return machine, err
	}))
}

// A suite that finds no fault with a wrong machine would prove nothing about the right
// one. Package proctest has more of this, on a machine of its own.
func TestConformanceSuiteRejectsAnotherLatency(t *testing.T) {
	slow := emulator(t, func(params clock.LogP) (*emu.Machine, error) {
		return emu.New(emu.Config{LogP: params, Workers: 1, Network: network{params.Latency + 1}})
	})
	for _, c := range proctest.Cases() {
		if c.Name == "a message is in the mailbox 2o+L after its send starts" {
			assert.ErrorContains(t, c.Check(slow), "want t=")
			return
		}
	}
	t.Error("the suite has no such case")
}

// network has the same latency everywhere, but does not say so.
type network struct{ latency clock.Time }

func (n network) Latency(from, to int) clock.Time { return n.latency }
func (n network) MinLatency() clock.Time          { return n.latency }

// emulator runs programs on machines made like that. It uses a machine again for as long
// as the parameters stay the same, so that later runs find what earlier ones left.
func emulator(t *testing.T, build func(clock.LogP) (*emu.Machine, error)) proctest.Machine {
	var machine *emu.Machine
	closeLast := func() {
		if machine != nil {
			assert.NoError(t, machine.Close())
		}
	}
	t.Cleanup(closeLast)
	run := func(params clock.LogP, seed uint64, schedule faults.Schedule, program protocols.Program) (*report.Report, error) {
		if machine == nil || machine.Config().LogP != params {
			closeLast()
			var err error
			if machine, err = build(params); err != nil {
				return nil, err
			}
		}
		return machine.Run(t.Context(), program, emu.Options{Seed: seed, Faults: schedule})
	}
	return proctest.Machine{Run: run, Stores: true}
}
