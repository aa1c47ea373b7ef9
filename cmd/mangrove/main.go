package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/transport/mpi"
)

func main() { os.Exit(exitStatus(catalog.All())) }

// exitStatus runs the command line of this process until it is done or told to end.
func exitStatus(registry scenarios.Registry) (status int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second one kills
	a := app{registry: registry, stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	if n, _ := mpi.Launched(); n > 0 {
		group, err := mpi.Join()
		if err != nil {
			a.complain(err)
			return statusInput
		}
		defer mpi.Leave()
		a.joinJob(group)
	}
	return a.run(ctx, os.Args[1:])
}
