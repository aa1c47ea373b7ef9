package scenarios

import "io"

// File is part of what an experiment computes with, as text that others can read.
type File struct {
	Name  string
	Write func(io.Writer) error
}
