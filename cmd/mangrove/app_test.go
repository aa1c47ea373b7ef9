package main

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

func TestGoldenOutput(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		args   []string
	}{
		{"help", 0, nil},
		{"help-run", 0, []string{"help", "run"}},
		{"help-explore", 0, []string{"help", "explore"}},
		{"help-fuzz", 0, []string{"help", "fuzz"}},
		{"help-shrink", 0, []string{"help", "shrink"}},
		{"help-campaign", 0, []string{"help", "campaign"}},
		{"help-compare", 0, []string{"help", "compare"}},
		{"compare", 0, []string{"compare", "broadcast", "gossip", "broadcast correction=none", "--with", "P=64 faults=crash:4%", "--runs", "20"}},
		{"help-summary", 0, []string{"help", "summary"}},
		{"help-merge", 0, []string{"help", "merge"}},
		{"list", 0, []string{"list"}},
		{"run-65536", 0, []string{"run", "broadcast", "P=65536"}},
		{"run-torus", 0, []string{"run", "broadcast", "ranks=512", "network=torus:8x8x8", "latency=100ns", "overhead=1.2us", "tick=100ns", "repeat=3"}},
		{"run-membership", 0, strings.Fields("run membership a=2 P=1024 network=torus:8x8x16 latency=4.6us tick=100ns compute=2us faults=crash:5@t0")},
		{"run-partitions", 0, strings.Fields("run membership P=8 until=20000 faults=cut:0-2|3-7@t10,crash:5@t20,rejoin:5@t900")},
		{"run-collective", 0, strings.Fields("run collective op=reduce P=9 backup=all faults=crash:0@step:iteration#3,crash:4@step:repair --cost")},
		{"run-samplesort", 0, strings.Fields("run samplesort P=8 n=10000 faults=crash:0@step:broadcast --cost")},
		{"run-tpch-q3", 0, strings.Fields("run tpch-q3 P=8 sf=0.01 faults=crash:3@step:alltoallv --cost")},
		{"run-plain", 0, strings.Fields("run tpch-q3 P=8 sf=0.001 strategy=plain faults=crash:3@step:alltoallv")},
		{"run-unnoticed", 0, strings.Fields("run collective op=gather P=4 faults=hang:2@step:exchange")},
		{"run-failures", 0, []string{"run", "broadcast", "P=64", "seed=7", "faults=crash:~12,hang:5@recv1,slow:3x2,crash:9@send99"}},
		{"run-excused", 0, []string{"run", "broadcast", "P=16", "faults=crash:0@send1,crash:~1"}},
		{"run-broken", 1, []string{"run", "broadcast", "P=16", "correction=none", "faults=crash:1@recv1,crash:~1"}},
		{"replay", 0, []string{"replay", "broadcast P=4"}},
		{"replay", 0, []string{"replay", "mangrove run broadcast P=4"}},
		{"demo", 0, []string{"demo"}},
		{"demo-slow-and-hung", 0, []string{"demo", "broadcast", "P=12", "o=2", "faults=slow:3x3@recv1,hang:1@t9,slow:2x2@t5"}},
		{"demo-broken", 1, []string{"demo", "broadcast P=5 correction=none faults=crash:1@recv1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := mangroveWith(t.Context(), catalog.All(), c.args...)
			assert.Equal(t, c.status, got.status)
			assert.Empty(t, got.stderr)
			golden(t, c.name, got.stdout)
			if strings.HasPrefix(c.name, "help") {
				line80(t, got.stdout)
			}
		})
	}
}

func TestExamplesInTheHelpWork(t *testing.T) {
	t.Chdir(t.TempDir())
	example := regexp.MustCompile(`(?m)^  mangrove (.*)$`)
	word := regexp.MustCompile(`'[^']*'|\S+`)
	count := 0
	topics := [][]string{nil, {"help", "run"}, {"help", "replay"}, {"help", "demo"}, {"help", "explore"}, {"help", "fuzz"}, {"help", "shrink"}}
	if testing.Short() {
		topics = topics[1:4] // a sample: searches take long with the race detector, and so do large machines
	}
	for _, topic := range topics {
		_, text, _ := strings.Cut(mangrove(topic...).stdout, "Examples:")
		text, _, _ = strings.Cut(text, "Flags:")
		for _, match := range example.FindAllStringSubmatch(text, -1) {
			var args []string
			for _, w := range word.FindAllString(match[1], -1) {
				args = append(args, strings.Trim(w, "'"))
			}
			got := mangrove(args...)
			assert.Equal(t, 0, got.status, "%s: %s", match[0], got.stderr)
			count++
		}
	}
	assert.GreaterOrEqual(t, count, 2*len(topics)-2)
}

func TestBadInputExitsWith2AndPrintsOnlyToStderr(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "broadcast", "P=0"}, `"P=0": want a number from 1 to 16777216`},
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
		{[]string{"run", "broadcast", "--bogus"}, `unknown flag: --bogus`},
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
		{[]string{"replay", "broadcast P=x L=0"}, "\"P=x\": want a number from 1 to 16777216\nmangrove: \"L=0\""},
		{[]string{"demo", "broadcast", "P=65"}, `a drawing has room for 64 ranks, the line asks for P=65`},
		{[]string{"demo", "broadcast", "P=16", "L=50"}, `ticks, a drawing has room for 73`},
		{[]string{"demo", "chatter"}, `unknown protocol "chatter"`},
		{[]string{"demo", "--json"}, `unknown flag: --json`},
		{[]string{"list", "broadcast"}, `unknown command "broadcast" for "mangrove list"`},
		{[]string{"rum", "broadcast"}, `unknown command "rum" for "mangrove"`},
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

func TestTheReplayLineOfABrokenRunGivesTheSameOutput(t *testing.T) {
	first := mangrove("run", "broadcast", "P=16", "seed=3", "correction=none", "faults=crash:1@send1,crash:~2")
	require.Equal(t, 1, first.status)
	line := regexp.MustCompile(`replay: mangrove run (.*)\n`).FindStringSubmatch(first.stdout)
	require.Len(t, line, 2)
	again := mangrove("replay", strings.ReplaceAll(line[1], "'", ""))
	assert.Equal(t, measured.ReplaceAllString(first.stdout, ""), measured.ReplaceAllString(again.stdout, ""))
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

// brokenPipe cannot be written to.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestOutputThatCannotBeWrittenIsAFailure(t *testing.T) {
	for _, args := range [][]string{{"run", "broadcast", "P=2"}, {"run", "broadcast", "P=2", "--json"},
		{"run", "broadcast", "P=2", "--trace", "-"}, {"run", "panics", "P=1", "--json"}, {"demo"}, {"list"}} {
		var stderr strings.Builder
		a := app{registry: testProtocols(), stdout: brokenPipe{}, stderr: &stderr}
		assert.Equal(t, 1, a.run(t.Context(), args), "%v", args)
		assert.Contains(t, stderr.String(), "broken pipe")
	}
}

func TestCommandsSurviveTheShell(t *testing.T) {
	assert.Equal(t, "mangrove run broadcast 'faults=crash:~5'", commandLine("broadcast faults=crash:~5"))
	for word, want := range map[string]string{
		"faults=crash:3@t1":      "faults=crash:3@t1",
		"faults=slow:0.5%x2,b/c": "faults=slow:0.5%x2,b/c",
		"faults=step:a#2":        "'faults=step:a#2'",
		"faults=cut:1|*@t3":      "'faults=cut:1|*@t3'",
	} {
		assert.Equal(t, "mangrove run "+want, commandLine(word))
	}
}
