package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/mangrove-emu/mangrove/scenarios"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second one kills
	a := app{registry: scenarios.Protocols(), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	os.Exit(a.run(ctx, os.Args[1:]))
}
