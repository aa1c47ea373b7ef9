package tcp_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// BenchmarkLoopback is what messages cost over connections of the loopback interface, without the
// time that setting them up takes. Both processes are in this one, so that the numbers are those of
// our code and the kernel, and not of the scheduler; BenchmarkProcesses has those.
func BenchmarkLoopback(b *testing.B) {
	b.Run("round-trip", func(b *testing.B) {
		benchmarkTCP(b, false, func(p protocols.Proc, n int) {
			for range n {
				roundTrip(p)
			}
		})
	})
	b.Run("burst", func(b *testing.B) { benchmarkTCP(b, false, burst) })
	b.Run("burst-encrypted", func(b *testing.B) { benchmarkTCP(b, true, burst) })
}

// roundTrip sends a message there and back.
func roundTrip(p protocols.Proc) {
	if p.Rank() == 0 {
		p.Send(1, mailbox.Message{})
		p.Recv(mailbox.Any)
	} else {
		p.Recv(mailbox.Any)
		p.Send(0, mailbox.Message{})
	}
}

// burst sends messages back to back, and waits until the other rank has all of them.
func burst(p protocols.Proc, n int) {
	if p.Rank() == 0 {
		for range n {
			p.Send(1, mailbox.Message{})
		}
		p.Recv(mailbox.Any)
		return
	}
	for range n {
		p.Recv(mailbox.Any)
	}
	p.Send(0, mailbox.Message{})
}

func benchmarkTCP(b *testing.B, encrypt bool, exchange func(p protocols.Proc, n int)) {
	job := tcp.Job{
		Job: wire.NewJob(), LogP: clock.LogP{Ranks: 2, Latency: 1, Overhead: 1}, Processes: 2, Tick: time.Nanosecond,
		Eager: true, Encrypt: encrypt,
	}
	var took clock.Time
	_, err := tcp.RunLocal(context.Background(), job, tcp.Detection{}, protocols.Program{Main: func(p protocols.Proc) {
		begin := p.Now()
		exchange(p, b.N)
		if p.Rank() == 0 {
			took = p.Now() - begin
		}
	}})
	require.NoError(b, err)
	b.ReportMetric(float64(took)/float64(b.N), "ns/op")
}

// BenchmarkStorage is what it costs a rank to write a record, and to have the disk of the temporary folder make it safe.
func BenchmarkStorage(b *testing.B) {
	value := strings.Repeat("v", 100)
	for name, step := range map[string]func(protocols.Storage){
		"write": func(disk protocols.Storage) { disk.Write("record", value) },
		"write-sync": func(disk protocols.Storage) {
			disk.Write("record", value)
			disk.Sync()
		},
	} {
		b.Run(name, func(b *testing.B) {
			job := tcp.Job{Job: wire.NewJob(), LogP: clock.LogP{Ranks: 1, Latency: 1, Overhead: 1}, Processes: 1, Tick: time.Nanosecond}
			var took clock.Time
			_, err := tcp.RunLocal(context.Background(), job, tcp.Detection{}, protocols.Program{Main: func(p protocols.Proc) {
				disk, begin := p.Storage(), p.Now()
				for range b.N {
					step(disk)
				}
				took = p.Now() - begin
			}})
			require.NoError(b, err)
			b.ReportMetric(float64(took)/float64(b.N), "ns/op")
		})
	}
}
