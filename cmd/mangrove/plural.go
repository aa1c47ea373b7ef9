package main

import "fmt"

// count reads like "1 run" or "2 runs".
func count[T int | int64](n T, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
