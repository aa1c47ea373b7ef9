package guarantee

// NoDeadlock holds if no rank still waited when nothing could happen any more. What such
// ranks wait for, and whom, [Termination] says.
type NoDeadlock struct{}

// Name is the promise in two words.
func (NoDeadlock) Name() string { return "no deadlock" }

// NeedsEvents is false.
func (NoDeadlock) NeedsEvents() bool { return false }

func (NoDeadlock) safety() {}

// Check lists the ranks that wait.
func (g NoDeadlock) Check(run Run) Verdict {
	if len(run.Report.Deadlocks) == 0 {
		return Verdict{Name: g.Name(), Value: Held, Evidence: "no rank waits for ever"}
	}
	return Verdict{Name: g.Name(), Evidence: listFound(run.waiting(true)) + " waiting for ever"}
}
