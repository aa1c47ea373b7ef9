//go:build mpi

package tcp_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// mpiLibrary is one whose messages over TCP ours are compared with.
type mpiLibrary struct {
	name, compiler string
	run            []string // starts two processes that talk over TCP, although they could share memory
}

var mpiLibraries = []mpiLibrary{
	{"openmpi", "mpicc.openmpi", []string{
		"mpirun.openmpi", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "--mca", "pml", "ob1", "--mca", "btl", "tcp,self", "-n", "2",
	}},
	{"mpich", "mpicc.mpich", []string{"mpirun.mpich", "-genv", "UCX_TLS", "tcp,self", "-genv", "MPIR_CVAR_NOLOCAL", "1", "-n", "2"}},
}

// BenchmarkBesideMPI compares what messages cost between two processes of this host with what MPI libraries need for the same over
// TCP, by turns, so that an hour in which others need the processors counts for all.
//
//	go test -tags mpi -run '^$' -bench BesideMPI -benchtime 6x ./transport/tcp
func BenchmarkBesideMPI(b *testing.B) {
	programs := make([]string, len(mpiLibraries))
	for i, l := range mpiLibraries {
		programs[i] = l.build(b)
	}
	for _, e := range exchanges {
		b.Run(e.String(), func(b *testing.B) {
			var ours, encrypted measured
			theirs := make([]measured, len(mpiLibraries))
			for b.Loop() {
				e.Encrypt = false
				ours.add(e.measure(b))
				for i, l := range mpiLibraries {
					theirs[i].add(l.measure(b, programs[i], e))
				}
				e.Encrypt = true
				encrypted.add(e.measure(b))
			}
			b.ReportMetric(ours.median(), "ns-ours")
			b.ReportMetric(ours.least(), "ns-ours-least")
			b.ReportMetric(encrypted.median(), "ns-encrypted")
			b.ReportMetric(encrypted.least(), "ns-encrypted-least")
			for i, l := range mpiLibraries {
				b.ReportMetric(theirs[i].median(), "ns-"+l.name)
				b.ReportMetric(theirs[i].least(), "ns-"+l.name+"-least")
				b.ReportMetric(ours.median()/theirs[i].median(), "x-"+l.name)
				b.ReportMetric(ours.least()/theirs[i].least(), "x-"+l.name+"-least")
			}
		})
	}
}

// build compiles the program that does with MPI what our processes do.
func (l *mpiLibrary) build(b *testing.B) string {
	b.Helper()
	program := filepath.Join(b.TempDir(), l.name)
	out, err := exec.CommandContext(b.Context(), l.compiler, "-O2", "-o", program, "testdata/exchange.c").CombinedOutput()
	require.NoError(b, err, "%s", out)
	return program
}

// measure is that of an exchange, with two processes of an MPI job.
func (l *mpiLibrary) measure(b *testing.B, program string, e exchange) []float64 {
	b.Helper()
	args := append(l.run[1:len(l.run):len(l.run)], program, e.What, fmt.Sprint(e.Messages), fmt.Sprint(e.Rounds), fmt.Sprint(e.Pause.Microseconds()))
	cmd := exec.CommandContext(b.Context(), l.run[0], args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	require.NoError(b, cmd.Run(), "%s", &stderr)
	return e.each(b, &stdout)
}
