//go:build gofuzz

package fuzz

// Fuzz is the entry of go-fuzz, and of libFuzzer by way of it: gofuzz.sh and docs/fuzzing.md
// build it. Both take a panic for a crasher.
func Fuzz(data []byte) int {
	if err := Any(data); err != nil {
		panic(err)
	}
	return 0
}
