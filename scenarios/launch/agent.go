package launch

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// order is what a launcher tells an agent: one of the fields is set.
type order struct {
	Start *processSpec `json:",omitempty"`
	Kill  *int         `json:",omitempty"`
}

// Serve is what an agent does: it starts and kills processes on its host as it is told, and tells
// of their ends. When its input or its context ends it kills all of them.
func Serve(ctx context.Context, command []string, input io.Reader, output, stderr io.Writer) error {
	var mu sync.Mutex
	tell := json.NewEncoder(output)
	l := newLocal(command, serialized(stderr), func(e ending) {
		mu.Lock()
		defer mu.Unlock()
		tell.Encode(e) // a launcher that is gone does not want to know
	})
	defer l.close()
	ended := make(chan error, 1)
	go func() { ended <- l.obeyAll(input) }() // until the process ends, if the input does not
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// obeyAll does what it is told until the input ends.
func (l *local) obeyAll(input io.Reader) error {
	decoder := json.NewDecoder(input)
	for {
		var o order
		switch err := decoder.Decode(&o); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := l.obey(o); err != nil {
			return err
		}
	}
}

// startWithFolder starts a process whose ranks keep something on this host. The folder is made for the first one.
func (l *local) startWithFolder(spec processSpec) (err error) {
	if l.folder.path == "" {
		if l.folder, err = openFolder(spec.Storage, spec.Keeps); err != nil {
			return err
		}
	}
	spec.Storage = l.folder.path
	return l.start(spec)
}

func (l *local) obey(o order) error {
	switch {
	case o.Start != nil:
		return l.startWithFolder(*o.Start)
	case o.Kill != nil:
		l.kill(*o.Kill)
		return nil
	}
	return errors.New("launch: an order that says neither what to start nor what to kill")
}
