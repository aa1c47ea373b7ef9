package fuzz

import "testing"

// The targets of native fuzzing. Their corpora, which go test runs every time, are in
// testdata/fuzz; corpus_test.go has them as run lines.

func FuzzBroadcast(f *testing.F)  { fuzzing(f, of("broadcast").check) }
func FuzzMultiTree(f *testing.F)  { fuzzing(f, of("multitree").check) }
func FuzzGossip(f *testing.F)     { fuzzing(f, of("gossip").check) }
func FuzzBig(f *testing.F)        { fuzzing(f, of("big").check) }
func FuzzBfb(f *testing.F)        { fuzzing(f, of("bfb").check) }
func FuzzReduce(f *testing.F)     { fuzzing(f, of("reduce").check) }
func FuzzAllReduce(f *testing.F)  { fuzzing(f, of("allreduce").check) }
func FuzzMembership(f *testing.F) { fuzzing(f, of("membership").check) }
func FuzzCollective(f *testing.F) { fuzzing(f, of("collective").check) }
func FuzzSampleSort(f *testing.F) { fuzzing(f, of("samplesort").check) }
func FuzzQuery(f *testing.F)      { fuzzing(f, of("tpch-q3").check) }

// All protocols of the catalogue, also those without a target of their own.
func FuzzAny(f *testing.F) { fuzzing(f, Any) }

func fuzzing(f *testing.F, check func([]byte) error) {
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := check(data); err != nil {
			t.Fatal(err)
		}
	})
}
