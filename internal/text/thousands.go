package text

import "strings"

// Thousands puts commas into a number without a sign: "1,234.5".
func Thousands(number string) string {
	whole, _, _ := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		number = number[:i] + "," + number[i:]
	}
	return number
}
