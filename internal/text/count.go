package text

import "fmt"

// Count puts a number before a word: "1 run", "2 runs".
func Count[N int | int64](n N, word string) string {
	return fmt.Sprintf("%d %s", n, Plural(float64(n), word))
}

// Plural is a word in the form that goes with a number: "run" after 1, else "runs".
func Plural(n float64, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
