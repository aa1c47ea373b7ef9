package command

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/beside"
	"github.com/mangrove-emu/mangrove/transport/mpi"
)

// Main runs the command line of this process, on which these protocols can be named, and ends the process with its exit status. The name is what
// users call the command: help, errors and the lines that show a run again have it.
func Main(name string, protocols ...scenarios.Protocol) {
	os.Exit(exitStatus(commandName(name), protocols))
}

// exitStatus runs the command line of this process until it is done or told to end.
func exitStatus(name commandName, registry scenarios.Registry) (status int) {
	alone := joinsByAddress(os.Args[1:])
	if !alone {
		if status, goesOn := mpi.Watch(name.tellFate); !goesOn {
			return status
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	a := app{name: name, registry: registry, stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	if n, _ := mpi.Launched(); n > 0 && !alone {
		return a.runInJob(ctx, os.Args[1:])
	}
	context.AfterFunc(ctx, stop) // a second one kills
	return a.run(ctx, os.Args[1:])
}

// runInJob runs a command line that the other processes of an MPI job have, too. Signals may come twice, to which mpirun adds one that
// cannot be ignored.
func (a *app) runInJob(ctx context.Context, args []string) (status int) {
	group, err := mpi.Join()
	if err != nil {
		a.complain(err)
		mpi.Leave()
		return statusInput
	}
	if carrier, err := mpi.NewCarrier(); err == nil {
		a.carrier, a.doomed = carrier, mpi.Doomed()
		a.engine, _ = any(carrier).(beside.Engine)
	}
	status, lost := a.runTogether(ctx, group, args)
	if lost != nil {
		time.Sleep(mpi.Pause)
		mpi.Abort(status) // others may wait for this one for ever
	}
	if a.apart {
		mpi.Part()
		return status
	}
	mpi.Leave() // not after a panic: it waits for the others
	return status
}

// tellFate says which process of a job was lost, and what to do.
func (n commandName) tellFate(fate mpi.Fate) {
	fmt.Fprintf(os.Stderr, "%s: %v; the job ends: start it again, a campaign or an exploration with --state goes on where it stopped\n", n, fate)
}
