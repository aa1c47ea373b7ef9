package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/report/traceevent"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// traceFile is where the events of a run go. A file gets its name only when it is
// complete, so that a failed run leaves an older trace alone. A nil traceFile takes no
// events.
type traceFile struct {
	path     string
	w        io.Writer
	file     *os.File // nil for standard output
	temp     string   // what file is called until it is complete; "" for a device or pipe
	timeline bool     // for viewers: in the trace-event format, not one event a line
}

// openTrace makes sure, before a run, that its trace can be written.
func openTrace(path string, stdout io.Writer) (*traceFile, error) {
	switch path {
	case "":
		return nil, nil
	case "-":
		return &traceFile{path: "standard output", w: stdout}, nil
	}
	t := &traceFile{path: path, timeline: strings.HasSuffix(path, ".json")}
	if err := t.open(); err != nil {
		t.abandon()
		return nil, t.problem(err)
	}
	t.w = t.file
	return t, nil
}

func (t *traceFile) open() (err error) {
	info, err := os.Stat(t.path)
	switch {
	case os.IsNotExist(err):
		return t.createTemp(0o666)
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("it is a directory")
	}
	existing, err := os.OpenFile(t.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		t.file = existing // a device or pipe is written to and never replaced
		return nil
	}
	if err := existing.Close(); err != nil {
		return err
	}
	if t.path, err = filepath.EvalSymlinks(t.path); err != nil {
		return err
	}
	if err := t.createTemp(info.Mode().Perm()); err != nil {
		return err
	}
	return t.file.Chmod(info.Mode().Perm()) // whatever the umask
}

// createTemp makes the file that will replace the old one.
func (t *traceFile) createTemp(mode os.FileMode) (err error) {
	if t.file, err = createBeside(t.path, mode); err == nil {
		t.temp = t.file.Name()
	}
	return err
}

// writeRun writes a run in the format that the name of the file asks for, and completes it.
func (t *traceFile) writeRun(outcome *scenarios.Outcome, kindName func(mailbox.Kind) string) error {
	if t == nil || !t.timeline {
		return t.write(outcome.Report.Events, kindName)
	}
	return t.complete(traceevent.Write(t.w, timelineOf(outcome, kindName)))
}

// timelineOf is what viewers are shown of a run.
func timelineOf(outcome *scenarios.Outcome, kindName func(mailbox.Kind) string) traceevent.Run {
	return traceevent.Run{
		Report:     outcome.Report,
		KindName:   kindName,
		Network:    outcome.Network,
		Uncoloured: outcome.Reduction,
		Line:       outcome.Line,
		Tick:       time.Duration(outcome.Unit),
	}
}

// write writes all events, one a line, and completes the file.
func (t *traceFile) write(events []report.Event, kindName func(mailbox.Kind) string) error {
	if t == nil {
		return nil
	}
	return t.complete(writeEvents(t.w, events, kindName))
}

// complete gives the file its name, unless writing it failed.
func (t *traceFile) complete(err error) error {
	if err != nil {
		return t.problem(err)
	}
	if t.file == nil {
		return nil
	}
	if err := t.file.Close(); err != nil {
		return t.problem(err)
	}
	if t.temp == "" {
		return nil
	}
	if err := os.Rename(t.temp, t.path); err != nil {
		return t.problem(err)
	}
	t.temp = ""
	return nil
}

// abandon removes what was not completed.
func (t *traceFile) abandon() {
	if t == nil || t.file == nil {
		return
	}
	_ = t.file.Close() // again, if write has done so
	if t.temp != "" {
		_ = os.Remove(t.temp)
	}
}

func (t *traceFile) problem(err error) error {
	return fmt.Errorf("cannot write the trace to %s: %w", t.path, err)
}

// traceLine is one event. What concerns a message is there only if the event does.
type traceLine struct {
	Time  clock.Time `json:"t"`
	Rank  int        `json:"rank"`
	Event string     `json:"event"`
	*traceMessage
	Step string `json:"step,omitempty"`
}

type traceMessage struct {
	Peer  int    `json:"peer"`
	Kind  string `json:"kind"`
	Epoch uint32 `json:"epoch"`
	A     int64  `json:"a"`
}

// writeEvents writes one JSON object a line.
func writeEvents(w io.Writer, events []report.Event, kindName func(mailbox.Kind) string) error {
	b := bufio.NewWriterSize(w, 1<<16)
	encoder := json.NewEncoder(b)
	for _, e := range events {
		line := traceLine{Time: e.Time, Rank: e.Rank, Event: e.Kind.String(), Step: e.Step}
		if e.Peer >= 0 {
			line.traceMessage = &traceMessage{e.Peer, mailbox.KindName(e.Msg, kindName), e.Epoch, e.A}
		}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return b.Flush()
}
