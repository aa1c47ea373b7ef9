//go:build !unix

package benchmark

import "time"

var began = time.Now()

// ProcessorTime is the time since the process began: all that can be told here.
func ProcessorTime() time.Duration { return time.Since(began) }
