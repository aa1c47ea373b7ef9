package fuzz

import "testing"

// The targets of native fuzzing. Their corpora, which go test runs every time, are in
// testdata/fuzz; corpus_test.go has them as run lines.

func FuzzBroadcast(f *testing.F)  { fuzzing(f, Broadcast) }
func FuzzMultiTree(f *testing.F)  { fuzzing(f, MultiTree) }
func FuzzReduce(f *testing.F)     { fuzzing(f, Reduce) }
func FuzzAllReduce(f *testing.F)  { fuzzing(f, AllReduce) }
func FuzzGossip(f *testing.F)     { fuzzing(f, Gossip) }
func FuzzBig(f *testing.F)        { fuzzing(f, Big) }
func FuzzBfb(f *testing.F)        { fuzzing(f, Bfb) }
func FuzzMembership(f *testing.F) { fuzzing(f, Membership) }
func FuzzCollective(f *testing.F) { fuzzing(f, Collective) }
func FuzzSampleSort(f *testing.F) { fuzzing(f, SampleSort) }
func FuzzQuery(f *testing.F)      { fuzzing(f, Query) }

// All protocols of the catalogue, also those without a target of their own.
func FuzzAny(f *testing.F) { fuzzing(f, Any) }

func fuzzing(f *testing.F, check func([]byte) error) {
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := check(data); err != nil {
			t.Fatal(err)
		}
	})
}
