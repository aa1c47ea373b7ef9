package tcp_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// In these tests a ring of messages runs on processes 0, 1 and 2, two ranks each. Process 3 is there,
// but takes no part: whoever knows the secret can pretend to be it without spoiling the ring.
const (
	ringRanks = 6
	bystander = 3
)

func ringJob() tcp.Job {
	job := someJob(ringRanks+2, 4)
	job.MaxFrame = 4096
	return job
}

// dial connects to an address.
func dial(t *testing.T, address string) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn.(*net.TCPConn)
}

// knock makes a handshake with whoever is at an address.
func (r *running) knock(t *testing.T, address string, who wire.Identity) (*wire.Session, error) {
	t.Helper()
	return wire.Handshake{Job: r.job.Job, Self: who}.Connect(dial(t, address))
}

// recorder keeps what is written to a connection.
type recorder struct {
	net.Conn
	written bytes.Buffer
}

func (r *recorder) Write(b []byte) (int, error) {
	r.written.Write(b)
	return r.Conn.Write(b)
}

// recorded is what a client says in a handshake that goes well.
func (r *running) recorded(t *testing.T, address string, who wire.Identity) []byte {
	t.Helper()
	tape := &recorder{Conn: dial(t, address)}
	wire.Handshake{Job: r.job.Job, Self: who}.Connect(tape)
	require.Greater(t, tape.written.Len(), 80)
	tape.Close()
	return tape.written.Bytes()
}

// attack is something that a hostile client does to whoever is at an address. It returns words of
// the line that the log should have then; none if nothing is worth one.
type attack func(t *testing.T, r *running, address string, role wire.Role) (words []string)

var strangers = map[string]attack{
	"garbage": func(t *testing.T, _ *running, address string, _ wire.Role) []string {
		dial(t, address).Write(bytes.Repeat([]byte("garbage\n"), 1000))
		return []string{"dropped", `it begins with "garb", want "MGRV": not one of us`}
	},
	"HTTP": func(t *testing.T, _ *running, address string, _ wire.Role) []string {
		conn := dial(t, address)
		fmt.Fprintf(conn, "GET /metrics HTTP/1.1\r\nHost: %s\r\nAccept: */*\r\nConnection: close\r\n\r\n", address)
		answer, _ := io.ReadAll(conn)
		require.Empty(t, answer, "strangers are told nothing")
		return []string{"connection from", "dropped", `it begins with "GET "`}
	},
	"closes at once": func(t *testing.T, _ *running, address string, _ wire.Role) []string {
		dial(t, address).Close()
		return []string{"dropped", "no hello: EOF"}
	},
	"resets": func(t *testing.T, _ *running, address string, _ wire.Role) []string {
		conn := dial(t, address)
		conn.Write([]byte("MG"))
		conn.SetLinger(0)
		conn.Close()
		return []string{"dropped", "no hello"}
	},
	"half a hello and silence": func(t *testing.T, r *running, address string, role wire.Role) []string {
		hello := r.recorded(t, address, wire.Identity{Role: role, Process: bystander})
		dial(t, address).Write(hello[:20])
		return nil // nobody waits for it
	},
	"wrong secret": func(t *testing.T, r *running, address string, role wire.Role) []string {
		hello := r.recorded(t, address, wire.Identity{Role: role, Process: bystander})[:54]
		dial(t, address).Write(append(bytes.Clone(hello), make([]byte, 32)...))
		return []string{"dropped", wire.ErrSecret.Error()}
	},
	"wrong secret, by a client that notices": func(t *testing.T, r *running, address string, role wire.Role) []string {
		h := wire.Handshake{Job: wire.Job{ID: r.job.ID}, Self: wire.Identity{Role: role, Process: bystander}}
		_, err := h.Connect(dial(t, address))
		require.ErrorIs(t, err, wire.ErrSecret)
		return []string{"dropped", "no proof"}
	},
	"another job": func(t *testing.T, _ *running, address string, role wire.Role) []string {
		_, err := wire.Handshake{Job: wire.NewJob(), Self: wire.Identity{Role: role, Process: bystander}}.Connect(dial(t, address))
		require.Error(t, err)
		return []string{"dropped", "hello of job"}
	},
	"replays a handshake": func(t *testing.T, r *running, address string, role wire.Role) []string {
		tape := r.recorded(t, address, wire.Identity{Role: role, Process: bystander})
		dial(t, address).Write(tape)
		return []string{"dropped", wire.ErrSecret.Error()}
	},
	"another role": func(t *testing.T, r *running, address string, role wire.Role) []string {
		return r.requireRefused(t, address, wire.Identity{Role: wire.Peer + wire.Member - role, Process: bystander})
	},
	"no role": func(t *testing.T, r *running, address string, _ wire.Role) []string {
		return r.requireRefused(t, address, wire.Identity{Process: bystander})
	},
	"process that does not exist": func(t *testing.T, r *running, address string, role wire.Role) []string {
		return r.requireRefused(t, address, wire.Identity{Role: role, Process: 4})
	},
	"negative process": func(t *testing.T, r *running, address string, role wire.Role) []string {
		return r.requireRefused(t, address, wire.Identity{Role: role, Process: -1})
	},
	"life to come": func(t *testing.T, r *running, address string, role wire.Role) []string {
		return r.requireRefused(t, address, wire.Identity{Role: role, Process: 1, Life: 7})
	},
	"negative life": func(t *testing.T, r *running, address string, role wire.Role) []string {
		return r.requireRefused(t, address, wire.Identity{Role: role, Process: 1, Life: -1})
	},
	"itself, or one that has joined": func(t *testing.T, r *running, address string, role wire.Role) []string {
		return r.requireRefused(t, address, wire.Identity{Role: role, Process: 0})
	},
}

// requireRefused knocks as somebody who knows the secret and still does not belong there.
func (r *running) requireRefused(t *testing.T, address string, who wire.Identity) []string {
	t.Helper()
	_, err := r.knock(t, address, who)
	require.ErrorIs(t, err, wire.ErrRefused)
	return []string{"dropped: ", fmt.Sprintf("life %d", who.Life)}
}

func TestStrangersDoNotDisturbAJob(t *testing.T) {
	t.Parallel()
	for name, attack := range strangers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, ring := prepare(t, ringJob(), tcp.Detection{}), newRing(ringRanks)
			res := r.runWhile(t, ring, func() {
				if words := attack(t, r, r.nodes[0].Addr().String(), wire.Peer); words != nil {
					r.log.await(t, append(words, "process 0: ")...)
				}
				if words := attack(t, r, r.coordinator.Addr().String(), wire.Member); words != nil {
					r.log.await(t, append(words, "coordinator: ")...)
				}
			})
			ring.requireRight(t, res)
		})
	}
}

// runWhile runs a ring, and something else at the same time, for which the ring waits.
func (r *running) runWhile(t *testing.T, ring *ring, something func()) *tcp.Result {
	t.Helper()
	wait := r.start(ring.program())
	func() {
		defer close(ring.until)
		select {
		case <-ring.begun:
			something()
		case <-time.After(patience):
		}
	}()
	return wait(t)
}

// insider is an authenticated peer that sends something to process 0 which it should not.
type insider func(s *wire.Session) []byte

// sends is an insider who sends frames.
func sends(frames ...wire.Frame) insider {
	return func(s *wire.Session) (all []byte) {
		for i := range frames {
			all = s.Append(all, &frames[i])
		}
		return all
	}
}

// message is a frame that process 3 may send to process 0, but that nobody waits for.
func message() wire.Frame {
	return wire.Frame{Type: wire.Message, From: ringRanks, To: 0, Left: 1, Message: mailbox.Message{Kind: 77}}
}

// with changes such a frame.
func with(change func(f *wire.Frame)) wire.Frame {
	f := message()
	change(&f)
	return f
}

func TestInsidersThatMisbehaveAreDropped(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		insider
		says string
	}{
		"frame too long": {sends(with(func(f *wire.Frame) { f.Payload = strings.Repeat("x", 5000) })), "frame of 5055 bytes, want 26 to 4096"},
		"wrong tag": {func(s *wire.Session) []byte {
			text := sends(message())(s)
			text[len(text)-1] ^= 1
			return text
		}, wire.ErrTag.Error()},
		"frame twice": {func(s *wire.Session) []byte {
			text := sends(message())(s)
			return append(text, text...)
		}, wire.ErrTag.Error()},
		"half a frame":           {func(s *wire.Session) []byte { return sends(message())(s)[:30] }, "unexpected EOF"},
		"for a rank elsewhere":   {sends(with(func(f *wire.Frame) { f.To = 2 })), "a message for rank 2, which does not live here"},
		"for no rank":            {sends(with(func(f *wire.Frame) { f.To = 8 })), "a message for rank 8, which does not live here"},
		"of a rank elsewhere":    {sends(with(func(f *wire.Frame) { f.From = 5 })), "a message of rank 5, which does not live there"},
		"of no rank":             {sends(with(func(f *wire.Frame) { f.From = 1 << 30 })), "a message of rank 1073741824, which does not live there"},
		"false notice":           {sends(with(func(f *wire.Frame) { f.Kind = protocols.Failed })), "a message of kind 255, want 0 to 254"},
		"control":                {sends(wire.Frame{Type: wire.Control, Message: mailbox.Message{Payload: `{"Over":true}`}}), "frame of type 2, want 1"},
		"welcome":                {sends(wire.Frame{Type: wire.Welcome}), "frame of type 3, want 1"},
		"left before the start":  {sends(with(func(f *wire.Frame) { f.Left = -1 })), "left at t=-1"},
		"leaves at the very end": {sends(with(func(f *wire.Frame) { f.Left = clock.Never })), "left at t=9223372036854775807"},
		"messages before":        {sends(message(), message(), wire.Frame{Type: wire.Control}), "frame of type 2, want 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job := ringJob()
			job.Pace = tcp.Model // arrivals are computed from what frames say
			r, ring := prepare(t, job, tcp.Detection{}), newRing(ringRanks)
			res := r.runWhile(t, ring, func() {
				s, err := r.knock(t, r.nodes[0].Addr().String(), wire.Identity{Role: wire.Peer, Process: bystander})
				require.NoError(t, err)
				s.Write(c.insider(s))
				s.Conn.(*net.TCPConn).CloseWrite()
				r.log.await(t, "process 0: process 3: connection dropped: ", c.says)
				io.Copy(io.Discard, s) // until the other side has closed it
			})
			ring.requireRight(t, res)
			require.Empty(t, res.Deadlocks, "nobody waits for what it has sent")
		})
	}
}

// A process that the coordinator knows says what it must not say. It counts as failed then, and
// the others go on.
func TestMembersThatMisbehaveCountAsFailed(t *testing.T) {
	t.Parallel()
	const join = `{"Join":{"Address":"127.0.0.1:1"}}`
	for name, c := range map[string]struct{ text, says string }{
		"no text":                   {"", "control message of process 3"},
		"no JSON":                   {"}{", "control message of process 3"},
		"wrong type":                {`{"Status":7}`, "control message of process 3"},
		"joins twice":               {join, "it joins again"},
		"report too early":          {`{"Report":[{"Rank":6},{"Rank":7}]}`, "report before the run is over"},
		"last words of others":      {`{"LastWords":{"Rank":0,"Outcome":"crashed","Fault":0}}`, "last words of rank 0"},
		"last words of nobody":      {`{"LastWords":{"Rank":-1,"Outcome":"crashed","Fault":0}}`, "last words of rank -1"},
		"last words without reason": {`{"LastWords":{"Rank":6,"Outcome":"crashed","Fault":5}}`, "about fault 5"},
		"last words about others":   {`{"LastWords":{"Rank":7,"Outcome":"crashed","Fault":0}}`, "last words of rank 7 about fault 0"},
		"last words of the living":  {`{"LastWords":{"Rank":6,"Outcome":"finished","Fault":0}}`, "about fault 0"},
		"strange slow-downs":        {`{"LastWords":{"Rank":6,"Outcome":"crashed","Fault":0,"History":{"Happened":[{"Place":9}]}}}`, "about fault 0"},
		"others are back":           {`{"Rejoined":{"Rank":1,"Time":1}}`, "rank 1 is back, which does not live there"},
		"nobody is back":            {`{"Rejoined":{"Rank":-7,"Time":1}}`, "rank -7 is back, which does not live there"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job := ringJob()
			job.Faults = schedule(t, "crash:6@before-send99")
			r, ring := prepare(t, job, tcp.Detection{}, bystander), newRing(ringRanks)
			s, err := r.knock(t, r.coordinator.Addr().String(), wire.Identity{Role: wire.Member, Process: bystander})
			require.NoError(t, err)
			require.NoError(t, s.WriteFrame(controlFrame(join)))
			res := r.runWhile(t, ring, func() {
				s.WriteFrame(controlFrame(c.text))
				r.log.await(t, "coordinator: connection of process 3 dropped: ", c.says)
				_, err := io.Copy(io.Discard, s)
				require.NoError(t, err, "the other side closes it")
			})
			requireUnscheduled(t, res, 6, 7)
			res.Ranks = res.Ranks[:ringRanks]
			ring.requireRight(t, res)
		})
	}
}

func controlFrame(text string) *wire.Frame {
	return &wire.Frame{Type: wire.Control, Message: mailbox.Message{Payload: text}}
}

// requireUnscheduled makes sure that these ranks have failed and no others, for no reason of the schedule.
func requireUnscheduled(t *testing.T, res *tcp.Result, ranks ...int) {
	t.Helper()
	var failed []int
	for _, f := range res.Failed {
		require.Equal(t, report.Crashed, f.Outcome)
		failed = append(failed, f.Rank)
	}
	require.Equal(t, ranks, failed)
	require.ElementsMatch(t, res.Failed, res.Unscheduled)
}

// A process may lose its first connection to the coordinator before it has said who it is, and come
// again. What happens to the first one afterwards is of no interest.
func TestProcessMayConnectAgainBeforeItJoins(t *testing.T) {
	t.Parallel()
	for name, closes := range map[string]bool{"first connection closed later": true, "first connection left open": false} {
		t.Run(name, func(t *testing.T) {
			r, ring := prepare(t, ringJob(), tcp.Detection{}), newRing(ringRanks)
			first, err := r.knock(t, r.coordinator.Addr().String(), wire.Identity{Role: wire.Member, Process: bystander})
			require.NoError(t, err)
			res := r.runWhile(t, ring, func() {
				if closes {
					first.Close()
				}
			})
			ring.requireRight(t, res)
		})
	}
}

// flood keeps more connections open than an address lets in, and opens new ones all the time.
func flood(t *testing.T, address string) (end func()) {
	const many = 600
	var held []net.Conn
	for range many {
		held = append(held, dial(t, address)) // closed with the test
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; ; i = (i + 1) % many {
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
			}
			if conn, err := net.Dial("tcp", address); err == nil {
				held[i].Close()
				held[i] = conn
			}
		}
	})
	return func() {
		close(stop)
		wg.Wait()
		for _, conn := range held {
			conn.Close()
		}
	}
}

// Strangers who hold all places at all addresses keep nobody out: neither from joining nor from opening
// connections to others.
func TestFloodOfIdleConnectionsKeepsNobodyOut(t *testing.T) {
	t.Parallel()
	r, ring := prepare(t, ringJob(), tcp.Detection{}), newRing(ringRanks)
	for _, address := range []string{r.coordinator.Addr().String(), r.nodes[1].Addr().String()} {
		defer flood(t, address)()
	}
	r.log.await(t, "coordinator: connection from ", "dropped: more than 512 handshakes are going on, and it was the oldest")
	r.log.await(t, "process 1: connection from ", "dropped: more than 512 handshakes are going on, and it was the oldest")
	start := time.Now()
	res := r.runWhile(t, ring, func() {})
	ring.requireRight(t, res)
	require.Less(t, time.Since(start), time.Minute, "nobody has waited until strangers' time was up")
}

// counting sends numbers from rank 0 to rank 1 until one that was sent after something happened has
// come through.
type counting struct {
	sent     atomic.Int64
	boundary atomic.Int64 // 0: it has yet to happen
	got      []int64
}

const (
	number mailbox.Kind = iota + 10
	enough
	over
)

func (c *counting) main(p protocols.Proc) {
	switch p.Rank() {
	case 0:
		for done := false; !done; {
			p.Send(1, mailbox.Message{Kind: number, A: c.sent.Add(1)})
			_, _, done = p.RecvUntil(mailbox.OfKind(enough), p.Now()+5)
		}
		p.Send(1, mailbox.Message{Kind: over})
	case 1:
		for {
			_, m := p.Recv(mailbox.OfKinds(number, over))
			if m.Kind == over {
				return
			}
			c.got = append(c.got, m.A)
			if b := c.boundary.Load(); b > 0 && m.A > b {
				p.Send(0, mailbox.Message{Kind: enough})
			}
		}
	}
}

// A connection breaks in the middle of a job: here because somebody who pretends to be the one side
// pushes it aside, and resets its own. What was under way is lost. What comes later is not, and the
// run still comes to an end.
func TestMessagesGetThroughAfterAReset(t *testing.T) {
	t.Parallel()
	r := prepare(t, someJob(2, 2), tcp.Detection{})
	var c counting
	wait := r.start(protocols.Program{Main: c.main})
	for range 3 {
		for before := c.sent.Load(); c.sent.Load() < before+5; time.Sleep(time.Millisecond) {
		}
		s, err := r.knock(t, r.nodes[1].Addr().String(), wire.Identity{Role: wire.Peer, Process: 0})
		require.NoError(t, err)
		s.Conn.(*net.TCPConn).SetLinger(0)
		s.Close()
	}
	r.log.await(t, "process 1: process 0: connection dropped: ", "connection reset by peer")
	c.boundary.Store(c.sent.Load())
	res := wait(t)
	requireFinished(t, res, res.Ranks)
	require.True(t, slices.IsSorted(c.got))
	require.Equal(t, slices.Compact(slices.Clone(c.got)), c.got, "nothing comes twice")
	require.Greater(t, c.got[len(c.got)-1], c.boundary.Load())
}

// Connections push one another aside while much comes over each. What is in the reader's buffer of the
// former one is delivered before anything of the next one: messages may be lost, but none overtakes.
func TestNoMessageOvertakesThoseOfAFormerConnection(t *testing.T) {
	t.Parallel()
	const connections, each = 200, 400
	r := prepare(t, someJob(2, 2), tcp.Detection{})
	var got []int64
	var saidSo atomic.Bool
	wait := r.start(protocols.Program{Main: func(p protocols.Proc) {
		switch p.Rank() {
		case 0: // has nothing to say: the test speaks for it
			for !saidSo.Load() {
				p.WaitUntil(p.Now() + 1)
			}
		case 1:
			for {
				_, m := p.Recv(mailbox.OfKinds(number, over))
				if m.Kind == over {
					return
				}
				got = append(got, m.A)
			}
		}
	}})
	sent := int64(0)
	for range connections {
		s, err := r.knock(t, r.nodes[1].Addr().String(), wire.Identity{Role: wire.Peer, Process: 0})
		require.NoError(t, err)
		defer s.Close()
		var text []byte
		for range each {
			sent++
			text = s.Append(text, &wire.Frame{Type: wire.Message, From: 0, To: 1, Message: mailbox.Message{Kind: number, A: sent}})
		}
		_, err = s.Write(text)
		require.NoError(t, err)
	}
	s, err := r.knock(t, r.nodes[1].Addr().String(), wire.Identity{Role: wire.Peer, Process: 0})
	require.NoError(t, err)
	require.NoError(t, s.WriteFrame(&wire.Frame{Type: wire.Message, From: 0, To: 1, Message: mailbox.Message{Kind: over}}))
	s.Close()
	saidSo.Store(true)
	res := wait(t)
	requireFinished(t, res, res.Ranks)
	require.NotEmpty(t, got)
	for i := 1; i < len(got); i++ {
		require.Less(t, got[i-1], got[i], "message %d of %d", i, len(got))
	}
}

// A peer that takes a connection and never reads from it keeps nobody from going on, and messages
// that are sent when it is gone get through.
func TestPeerThatNeverReadsKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	const big = 1 << 20
	r, ring := prepare(t, someJob(ringRanks+2, 4), tcp.Detection{}), newRing(ringRanks)
	var stuck, gone, heard atomic.Bool
	var bulk atomic.Int64
	program := protocols.Program{Main: func(p protocols.Proc) {
		switch p.Rank() {
		case 1: // sends to the peer in question between its turns
			for i := 0; i < 30; i++ {
				for !stuck.Load() {
					p.WaitUntil(p.Now() + 1)
				}
				p.Send(ringRanks, mailbox.Message{Kind: number, Payload: strings.Repeat("x", big)})
				bulk.Add(big)
			}
			for !heard.Load() {
				if gone.Load() {
					p.Send(ringRanks, mailbox.Message{Kind: over})
				}
				p.WaitUntil(p.Now() + 2)
			}
			ring.main(p)
		case ringRanks:
			p.Recv(mailbox.OfKind(over))
			heard.Store(true)
		default:
			ring.main(p)
		}
	}}
	wait := r.start(program)
	s, err := r.knock(t, r.nodes[0].Addr().String(), wire.Identity{Role: wire.Peer, Process: bystander})
	require.NoError(t, err)
	stuck.Store(true)
	require.Eventually(t, func() bool { return bulk.Load() == 30*big }, patience, time.Millisecond)
	s.Close()
	gone.Store(true)
	close(ring.until)
	res := wait(t)
	require.True(t, heard.Load())
	ring.requireRight(t, res)
}
