package line

import (
	"fmt"
	"strings"
)

// Suggest asks whether the most similar of the known names was meant. It answers "" if
// none is similar.
func Suggest(name string, known []string) string {
	best, least := "", 3 // more than two edits are another word
	for _, k := range known {
		d := distance(strings.ToLower(name), strings.ToLower(k))
		if d < least && d < len(k) {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", best)
}

// distance is the number of letters to insert, delete or replace (Levenshtein). It is
// not exact for words of very different length, which are never similar.
func distance(a, b string) int {
	if diff := len(a) - len(b); diff > 3 || diff < -3 {
		return max(len(a), len(b))
	}
	row := make([]int, len(b)+1) // distances of a prefix of a to all prefixes of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
