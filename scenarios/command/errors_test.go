package command

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestBadInputExitsWith2AndPrintsOnlyToStderr(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "broadcast", "P=0"}, `"P=0": want a number from 1 to 2147483647`},
		{[]string{"run", "broadcast", "o=0"}, `"o=0": want a number from 1 to`},
		{[]string{"run", "broadcast", "colour=red"}, `unknown key "colour"`},
		{[]string{"run", "broadcast", "P=64", "faults=crash:99"}, `rank 99, want 0 to 63`},
		{[]string{"run", "broadcast", "faults=crash@3"}, `item 1 "crash@3"`},
		{[]string{"run", "broadcast", "P=4", "P=4"}, `key P is set twice`},
		{[]string{"run", "chatter"}, `unknown protocol "chatter"`},
		{[]string{"run", "broadcast", "network=torus:8x8x8"}, `"network=torus:8x8x8": 512 nodes, and P=1024 ranks; want P up to 512, or more nodes`},
		{[]string{"run", "broadcast", "network=switch:2"}, `"network=switch:2": messages may have to wait there without limit, and start=sync begins to correct`},
		{[]string{"run", "broadcast", "L=4.6us"}, `"L=4.6us": a time, but ticks have no unit; set one, such as tick=100ns`},
		{[]string{"run", "broadcast", "tree=oak"}, `"tree=oak": want binomial, kary, lame or optimal`},
		{[]string{"run", "broadcast", "--bogus"}, `unknown flag: --bogus; 'mangrove run --help' shows all flags`},
		{[]string{"run", "broadcast", "--worker", "2"}, `unknown flag: --worker; 'mangrove run --help' shows all flags; did you mean --workers?`},
		{[]string{"run", "broadcast", "-P=4"}, `unknown shorthand flag: 'P'`},
		{[]string{"run", "broadcast", "--workers", "many"}, `--workers many: want a whole number from 0 to 4096`},
		{[]string{"run", "broadcast", "--workers", "-1"}, `--workers -1: want a whole number from 0 to 4096`},
		{[]string{"run", "broadcast", "--profile", "heap"}, `--profile "heap", want one of cpu, mem, trace`},
		{[]string{"run", "broadcast", "--json", "--trace", "-"}, `--json and --trace - would both write to standard output`},
		{[]string{"run", "broadcast", "--trace", "no/such/directory"}, `cannot write the trace to no/such/directory`},
		{[]string{"run", "broadcast", "--trace", "."}, `cannot write the trace to .: it is a directory`},
		{[]string{"run", "broadcast", "--trace", ""}, `--trace "": want the name of a file, or -`},
		{[]string{"run", "broadcast", "--cost"}, "--cost: broadcast has no plain version to compare with, want collective, samplesort, tpch-q3"},
		{[]string{"compare", "broadcast"}, "1 lines, want two or more"},
		{[]string{"compare", "broadcast P=8", "broadcast P=9"}, "P=8 in one line and P=9 in another: want the same machine and the same failures"},
		{[]string{"compare", "broadcast", "chatter"}, `unknown protocol "chatter"`},
		{[]string{"compare", "broadcast", "big", "--seed", "-1"}, "--seed -1: want a whole number from 0 to 18446744073709551615"},
		{[]string{"compare", "broadcast", "big", "--runs", "0"}, "--runs 0: want a whole number from 1 to 1000000000"},
		{[]string{"run", "broadcast", "--profile="}, `--profile "", want one of cpu, mem, trace`},
		{[]string{"run"}, `empty line, want a protocol`},
		{[]string{"run", "--json"}, `empty line, want a protocol`},
		{[]string{"replay"}, `empty line, want a protocol`},
		{[]string{"replay", ""}, `empty line, want a protocol`},
		{[]string{"replay", "broadcast P=x L=0"}, "\"P=x\": want a number from 1 to 2147483647\nmangrove: \"L=0\""},
		{[]string{"demo", "broadcast", "P=65"}, `a drawing has room for 64 ranks, the line asks for P=65`},
		{[]string{"demo", "broadcast", "P=16", "L=50"}, `ticks, a drawing has room for 73`},
		{[]string{"demo", "chatter"}, `unknown protocol "chatter"`},
		{[]string{"demo", "--json"}, `unknown flag: --json`},
		{[]string{"list", "broadcast"}, `unknown command "broadcast" for "mangrove list"`},
		{[]string{"rum", "broadcast"}, "Did you mean this?\n\trun\nmangrove: 'mangrove help' shows all commands\n"},
		{[]string{"view", "no/such.jsonl"}, "open no/such.jsonl: no such file or directory"},
		{[]string{"view", "broadcast", "--out", "no/such/page.html"}, "cannot write the page to no/such/page.html: open no/such: no such file or directory\n"},
		{[]string{"--bogus"}, `unknown flag: --bogus`},
		{[]string{"help", "rum"}, `unknown command "rum" for "mangrove"`},
		{[]string{"help", "run", "rum"}, `unknown help topic "rum"`},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			got := mangrove(c.args...)
			assert.Equal(t, 2, got.status)
			assert.Contains(t, got.stderr, "mangrove: ")
			assert.Contains(t, got.stderr, c.want)
			assert.Empty(t, got.stdout)
		})
	}
}

func TestAFailedRunExitsWith1AndSaysHowToReplay(t *testing.T) {
	for _, c := range []struct {
		args   []string
		want   string
		replay string
	}{
		{[]string{"run", "panics", "P=3", "seed=9"}, "rank 0 panicked at t=0: boom", "replay: mangrove run panics P=3 seed=9\n"},
		{[]string{"replay", "spins P=1"}, "without its clock advancing", "replay: mangrove run spins P=1\n"},
		{[]string{"demo", "panics", "P=1"}, "rank 0 panicked at t=0: boom", "replay: mangrove run panics P=1\n"},
		{[]string{"run", "panics", "P=8", "faults=crash:~2@step:a#2"}, "boom", "replay: mangrove run panics P=8 'faults=crash:~2@step:a#2'\n"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			got := mangrove(c.args...)
			assert.Equal(t, 1, got.status)
			assert.Contains(t, got.stderr, c.want)
			assert.True(t, strings.HasSuffix(got.stderr, c.replay), got.stderr)
			assert.Empty(t, got.stdout)
		})
	}
}

func TestDeadlockExitsWith1WhateverTheProtocolPromises(t *testing.T) {
	got := mangrove("run", "deadlocks", "P=12")
	assert.Equal(t, 1, got.status)
	assert.Contains(t, got.stdout, "deadlocked   12\n")
	assert.Contains(t, got.stdout, "rank 7 in Recv(any from 11) since t=0: ranks wait for each other: 11 -> 11\n")
	assert.NotContains(t, got.stdout, "rank 8 in Recv")
	assert.Contains(t, got.stdout, "and 4 more\n")
	assert.Contains(t, got.stdout, "\nreplay: mangrove run deadlocks P=12\n")
}

func TestAnInterruptEndsTheRunWithStatus130(t *testing.T) {
	ctx, cancel := context.WithTimeoutCause(t.Context(), patience, errors.New("not interrupted"))
	defer cancel()
	ctx, interrupt := context.WithCancel(ctx)
	time.AfterFunc(20*time.Millisecond, interrupt)
	got := mangroveWith(ctx, testProtocols(), "run", "endless", "P=2", "--json")
	assert.Equal(t, 130, got.status)
	assert.Equal(t, "mangrove: interrupted\n", got.stderr)
	assert.Empty(t, got.stdout)
}

// An exploration that is over before the user ends it is complete.
func TestEndedBeforeItBegan(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, command := range []string{"explore", "fuzz", "shrink", "run"} {
		got := mangroveWith(ctx, testProtocols(), command, "broadcast", "P=8")
		assert.Equal(t, result{"", "mangrove: interrupted\n", 130}, got, command)
	}
}
