package tcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// exchange is what two processes do to measure what messages cost: so many round trips, or messages in one direction and an answer
// to the last, in each of several rounds.
type exchange struct {
	Key         string
	Coordinator string
	Process     int
	Encrypt     bool

	What     string // "round-trip" or "burst"
	Messages int    // in a round
	Rounds   int
	Pause    time.Duration // before each round trip; it does not count
}

// exchangeRole is the argument that makes this program one of the two.
const exchangeRole = "exchange"

// exchanges are what benchmarks measure. Burst and round trips are those that others publish of MPI; with pauses processes
// sleep in between, as those of most collective operations do.
var exchanges = []exchange{
	{What: "round-trip", Messages: 250, Rounds: 100},
	{What: "round-trip", Messages: 20, Rounds: 40, Pause: time.Millisecond},
	{What: "burst", Messages: 10_000, Rounds: 9},
}

// String names the exchange.
func (e *exchange) String() string {
	if e.Pause > 0 {
		return fmt.Sprintf("%s/pause=%s", e.What, e.Pause)
	}
	return e.What
}

// BenchmarkProcesses is what messages cost between two processes of this host.
//
//	go test -run '^$' -bench Processes -benchtime 6x ./transport/tcp
func BenchmarkProcesses(b *testing.B) {
	for _, encrypt := range []bool{false, true} {
		for _, e := range exchanges {
			b.Run(fmt.Sprintf("%s/encrypt=%t", &e, encrypt), func(b *testing.B) {
				e.Encrypt = encrypt
				var took measured
				for b.Loop() {
					took.add(e.measure(b))
				}
				b.ReportMetric(took.median(), "ns")
				b.ReportMetric(took.least(), "ns-least")
			})
		}
	}
}

// measured is how many nanoseconds a round trip took, or a message of a burst, in each round of each turn.
type measured [][]float64

func (m *measured) add(turn []float64) { *m = append(*m, slices.Sorted(slices.Values(turn))) }

// median is the middle one of the turns' medians.
func (m measured) median() float64 {
	var medians []float64
	for _, turn := range m {
		medians = append(medians, turn[len(turn)/2])
	}
	return slices.Sorted(slices.Values(medians))[len(m)/2]
}

// least is the middle one of the turns' fastest rounds: what it takes while nobody else needs the processors.
func (m measured) least() float64 {
	var fastest []float64
	for _, turn := range m {
		fastest = append(fastest, turn[0])
	}
	return slices.Sorted(slices.Values(fastest))[len(m)/2]
}

// measure starts two processes and returns how many nanoseconds a round trip takes between them, or a message of a burst, in each
// round.
func (e exchange) measure(b *testing.B) []float64 {
	b.Helper()
	job := wire.NewJob()
	e.Key = job.Key()
	c, err := tcp.NewCoordinator(tcp.CoordinatorConfig{Job: e.job(job)})
	require.NoError(b, err)
	defer c.Close()
	e.Coordinator = c.Addr().String()
	var processes [2]*exec.Cmd
	var out io.Reader
	for e.Process = range processes {
		cmd := exec.CommandContext(b.Context(), os.Args[0], exchangeRole)
		cmd.Stderr = os.Stderr
		stdin, err := cmd.StdinPipe()
		require.NoError(b, err)
		if e.Process == 0 {
			out, err = cmd.StdoutPipe()
			require.NoError(b, err)
		}
		require.NoError(b, cmd.Start())
		require.NoError(b, json.NewEncoder(stdin).Encode(e))
		processes[e.Process] = cmd
	}
	require.NoError(b, c.Start(b.Context(), 5*time.Millisecond))
	_, err = c.Wait(b.Context())
	require.NoError(b, err)
	took := e.each(b, out)
	for _, cmd := range processes {
		require.NoError(b, cmd.Wait())
	}
	return took
}

// each reads how many nanoseconds each round took, and returns how many that is for each message.
func (e exchange) each(b *testing.B, out io.Reader) (rounds []float64) {
	b.Helper()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		took, err := strconv.ParseFloat(lines.Text(), 64)
		require.NoError(b, err)
		rounds = append(rounds, took/float64(e.Messages))
	}
	require.Len(b, rounds, e.Rounds)
	return rounds
}

// job is that of the two processes.
func (e exchange) job(id wire.Job) tcp.Job {
	return tcp.Job{
		Job: id, LogP: clock.LogP{Ranks: 2, Latency: 1, Overhead: 1}, Processes: 2, Tick: time.Nanosecond,
		Eager: true, Encrypt: e.Encrypt,
	}
}

// takePart is what each of the two processes does. The first one prints how many nanoseconds each round took.
func takePart(input io.Reader, output io.Writer) error {
	var e exchange
	if err := json.NewDecoder(input).Decode(&e); err != nil {
		return err
	}
	id, err := wire.ParseKey(e.Key)
	if err != nil {
		return err
	}
	n, err := tcp.Listen(tcp.Config{Job: e.job(id), Process: e.Process})
	if err != nil {
		return err
	}
	defer n.Close()
	if err := n.Join(context.Background(), e.Coordinator); err != nil {
		return err
	}
	return n.Run(context.Background(), protocols.Program{Main: func(p protocols.Proc) {
		for range e.Rounds {
			took := e.round(p)
			if p.Rank() == 0 {
				fmt.Fprintln(output, took.Nanoseconds())
			}
		}
	}}, nil)
}

// round is one round of the exchange, and returns how long it took.
func (e exchange) round(p protocols.Proc) (took time.Duration) {
	if e.What == "burst" {
		begin := time.Now()
		burst(p, e.Messages)
		return time.Since(begin)
	}
	for range e.Messages {
		if p.Rank() == 0 {
			time.Sleep(e.Pause)
		}
		begin := time.Now()
		roundTrip(p)
		took += time.Since(begin)
	}
	return took
}
