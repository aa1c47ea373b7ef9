package tcp_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

func encryptedJob() tcp.Job {
	job := ringJob()
	job.Encrypt = true
	return job
}

func TestEncryptedJobRuns(t *testing.T) {
	t.Parallel()
	ring := newRing(ringRanks)
	close(ring.until)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	res, err := tcp.RunLocal(ctx, encryptedJob(), tcp.Detection{}, ring.program())
	require.NoError(t, err)
	ring.requireRight(t, res)
}

func TestEncryptedJobCarriesLongMessages(t *testing.T) {
	t.Parallel()
	text := string(bytes.Repeat([]byte("0123456789abcdef"), 1<<16))
	job := someJob(2, 2)
	job.Encrypt = true
	got := ""
	run(t, job, tcp.Detection{}, func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{Payload: text})
			return
		}
		_, m := p.Recv(mailbox.From(0))
		got = m.Payload
	})
	require.True(t, text == got)
}

// strangeCertificate is one that has nothing to do with any job.
func strangeCertificate(t *testing.T) tls.Certificate {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	template := x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	text, err := x509.CreateCertificate(rand.Reader, &template, &template, public, private)
	require.NoError(t, err)
	return tls.Certificate{Certificate: [][]byte{text}, PrivateKey: private}
}

func TestAnEncryptedJobLetsNobodyElseIn(t *testing.T) {
	t.Parallel()
	strange := strangeCertificate(t)
	for name, c := range map[string]struct {
		visit func(r *running, conn net.Conn) error
		says  string
	}{
		"in the clear, with the secret": {func(r *running, conn net.Conn) error {
			_, err := wire.Handshake{Job: r.job.Job, Self: wire.Identity{Role: wire.Peer, Process: bystander}}.Connect(conn)
			return err
		}, wire.ErrEncrypted.Error()},
		"another key": {func(r *running, conn net.Conn) error {
			secure := tls.Client(conn, &tls.Config{InsecureSkipVerify: true, Certificates: []tls.Certificate{strange}})
			_, err := wire.Handshake{Job: r.job.Job, Self: wire.Identity{Role: wire.Peer, Process: bystander}}.Connect(secure)
			return err
		}, wire.ErrJob.Error()},
		"no key": {func(r *running, conn net.Conn) error {
			secure := tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
			_, err := wire.Handshake{Job: r.job.Job, Self: wire.Identity{Role: wire.Peer, Process: bystander}}.Connect(secure)
			return err
		}, "client didn't provide a certificate"},
		"old version of TLS": {func(r *running, conn net.Conn) error {
			secure := tls.Client(conn, &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS12})
			return secure.Handshake()
		}, "client offered only unsupported versions"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, ring := prepare(t, encryptedJob(), tcp.Detection{}), newRing(ringRanks)
			res := r.runWhile(t, ring, func() {
				require.Error(t, c.visit(r, dial(t, r.nodes[0].Addr().String())))
				r.log.await(t, "process 0: connection from ", " dropped: ", c.says)
				require.Error(t, c.visit(r, dial(t, r.coordinator.Addr().String())))
				r.log.await(t, "coordinator: connection from ", " dropped: ", c.says)
			})
			ring.requireRight(t, res)
		})
	}
}

// A server with another key is found out by the process that connects to it.
func TestEncryptedProcessDoesNotTalkToAStrangeServer(t *testing.T) {
	t.Parallel()
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{strangeCertificate(t)}})
	require.NoError(t, err)
	defer l.Close()
	heard := make(chan int64, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			heard <- -1
			return
		}
		defer conn.Close()
		n, _ := io.Copy(io.Discard, conn)
		heard <- n
	}()
	n, err := tcp.Listen(tcp.Config{Job: encryptedJob()})
	require.NoError(t, err)
	defer n.Close()
	err = n.Join(t.Context(), l.Addr().String())
	require.ErrorIs(t, err, tcp.ErrKey)
	require.ErrorContains(t, err, "tcp: process 0 cannot join: the launcher at "+l.Addr().String()+" has another key")
	require.Zero(t, <-heard)
}

// eavesdropper passes on what goes to an address, and keeps it.
type eavesdropper struct {
	listener net.Listener
	mu       sync.Mutex
	heard    bytes.Buffer
}

func (e *eavesdropper) Write(b []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.heard.Write(b)
}

func (e *eavesdropper) serve(address string) {
	for {
		in, err := e.listener.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", address)
		if err != nil {
			in.Close()
			return
		}
		// It hears before it passes on, so what has come through has been heard.
		go func() { io.Copy(io.MultiWriter(e, out), in); out.Close() }()
		go func() { io.Copy(in, out); in.Close() }()
	}
}

func TestEncryptionHidesWhatIsSaid(t *testing.T) {
	t.Parallel()
	for name, encrypt := range map[string]bool{"encrypted": true, "plain": false} {
		t.Run(name, func(t *testing.T) {
			job := someJob(1, 1)
			job.Encrypt = encrypt
			r := prepare(t, job, tcp.Detection{})
			var e eavesdropper
			var err error
			e.listener, err = net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			var wg sync.WaitGroup
			wg.Go(func() { e.serve(r.coordinator.Addr().String()) })
			r.by = e.listener.Addr().String()
			r.run(t, protocols.Program{Main: func(protocols.Proc) {}})
			e.listener.Close()
			wg.Wait()
			e.mu.Lock()
			defer e.mu.Unlock()
			require.Positive(t, e.heard.Len())
			require.Equal(t, !encrypt, bytes.Contains(e.heard.Bytes(), []byte(`"Report"`)))
			require.False(t, bytes.Contains(e.heard.Bytes(), job.Secret[:]))
		})
	}
}
