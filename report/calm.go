package report

// NobodyFailed reports whether no rank crashed or hung, at whatever time. Failed does not list ranks that came back: they had failed, too.
func (rep *Report) NobodyFailed() bool { return len(rep.Failed) == 0 && len(rep.Rejoined) == 0 }

// Calm reports whether nothing disturbed the run: nobody failed or was slow, no links were cut, messages were neither late nor lost nor did
// they arrive twice, and the machine had no jitter and no noise. It is for promises that hold if all goes well, such as
// that nobody gives up. Faults that never happened are no disturbance.
func (rep *Report) Calm() bool {
	for range rep.Fired() {
		return false
	}
	return rep.Jitter == nil && rep.Noise == nil
}
