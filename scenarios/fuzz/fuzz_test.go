package fuzz

import "testing"

// The targets of native fuzzing. Their corpora, which go test runs every time, are in
// testdata/fuzz; corpus_test.go has them as run lines.

func FuzzBroadcast(f *testing.F)  { target(f, Broadcast) }
func FuzzMultiTree(f *testing.F)  { target(f, MultiTree) }
func FuzzReduce(f *testing.F)     { target(f, Reduce) }
func FuzzAllReduce(f *testing.F)  { target(f, AllReduce) }
func FuzzGossip(f *testing.F)     { target(f, Gossip) }
func FuzzBig(f *testing.F)        { target(f, Big) }
func FuzzBfb(f *testing.F)        { target(f, Bfb) }
func FuzzMembership(f *testing.F) { target(f, Membership) }
func FuzzCollective(f *testing.F) { target(f, Collective) }
func FuzzSampleSort(f *testing.F) { target(f, SampleSort) }
func FuzzQuery(f *testing.F)      { target(f, Query) }

func target(f *testing.F, check func([]byte) error) {
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := check(data); err != nil {
			t.Fatal(err)
		}
	})
}
