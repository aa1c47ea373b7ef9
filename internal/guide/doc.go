// Package guide follows documents to the letter, as readers do in an empty folder of theirs: it writes the files that a document shows, makes the
// changes that it asks for, runs its commands, and keeps what these print beside what the document says that they print.
//
// A block of a document is a file if the line before it says so (`name.go`: and an empty line). Without that, a block of Go is a change: of the
// function that it defines, with its comment, or of the line that begins like it. Of blocks of the language console, each begins with a command
// after "$ ", and has below what it prints.
//
// block.go reads documents, reader.go does what they say, said.go compares, excerpt.go also with what leaves lines out. The command in folder follow does all of it for a shell.
package guide
