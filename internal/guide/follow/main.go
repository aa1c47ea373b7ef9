package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/mangrove-emu/mangrove/internal/guide"
)

func main() {
	if err := follow(context.Background(), os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "follow:", err)
		os.Exit(1)
	}
}

// usual are the commands that need nothing but Go and what was built.
var usual = []string{"go test", "go build", "go vet", "./", "cat "}

func follow(ctx context.Context, w io.Writer, args []string) error {
	if len(args) < 2 {
		return errors.New("want the root of the module and a document")
	}
	root, err := filepath.Abs(args[0])
	if err != nil {
		return err
	}
	document, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	here, err := os.ReadDir(".")
	if err != nil {
		return err
	}
	if len(here) > 0 {
		return fmt.Errorf("%s is in this folder, want an empty one", here[0].Name())
	}
	r := &guide.Reader{Root: root, Folder: ".", Commands: args[2:]}
	if len(r.Commands) == 0 {
		r.Commands = usual
	}
	ran := 0
	for _, block := range guide.Blocks(string(document)) {
		said, err := r.Do(ctx, block)
		switch {
		case err != nil:
			return err
		case said == nil:
			continue
		case !said.True():
			return fmt.Errorf("%s: exit status %d, and it prints\n%s\nwhere %s shows\n%s", said.Command, said.Status, said.Output, args[1], said.Shown)
		}
		ran++
		if _, err := fmt.Fprintf(w, "%s: as shown, exit status %d\n", said.Command, said.Status); err != nil {
			return err
		}
	}
	if ran == 0 {
		return fmt.Errorf("%s has no commands that begin with %q", args[1], r.Commands)
	}
	return nil
}
