package ulfm

// What a communicator has, between two groups. Failures are those of members of both groups, by their ranks on the machine: each group has
// numbers of its own.

// GetFailed returns the members of both groups that are known here to have failed, by their ranks on the machine; see [Comm.GetFailed].
func (i *Intercomm) GetFailed() []int { return i.machineRanks(i.c.GetFailed()) }

// GetAcked returns those that were acknowledged; see [Comm.GetAcked].
func (i *Intercomm) GetAcked() []int { return i.machineRanks(i.c.GetAcked()) }

// FailureAck acknowledges all failures of members of both groups that are known here; see [Comm.FailureAck].
func (i *Intercomm) FailureAck() { i.c.FailureAck() }

// AckFailed acknowledges the first failures of members of both groups; see [Comm.AckFailed].
func (i *Intercomm) AckFailed(count int) int { return i.c.AckFailed(count) }

func (i *Intercomm) machineRanks(members []int) []int {
	for at, member := range members {
		members[at] = i.c.group.machineRank(member)
	}
	return members
}

// Isend begins a send to a member of the other group; see [Comm.Isend].
func (i *Intercomm) Isend(to int, tag int64, payload string) *Request {
	return i.c.Isend(i.remote("Isend", to), tag, payload)
}

// Ssend sends a message to a member of the other group and waits until it was matched; see [Comm.Ssend].
func (i *Intercomm) Ssend(to int, tag int64, payload string) error {
	return i.c.Ssend(i.remote("Ssend", to), tag, payload)
}

// Issend begins an Ssend; see [Comm.Issend].
func (i *Intercomm) Issend(to int, tag int64, payload string) *Request {
	return i.c.Issend(i.remote("Issend", to), tag, payload)
}

// Irecv begins a receive from a member of the other group, or from AnySource; see [Comm.Irecv].
func (i *Intercomm) Irecv(from int, tag int64) *Request {
	return i.c.Irecv(i.remote("Irecv", from), tag)
}

// Sendrecv sends a message to a member of the other group and receives one; see [Comm.Sendrecv].
func (i *Intercomm) Sendrecv(to int, tag int64, payload string, from int, fromTag int64) (Received, error) {
	return i.c.Sendrecv(i.remote("Sendrecv", to), tag, payload, i.remote("Sendrecv", from), fromTag)
}

// Probe waits until there is a message to receive from a member of the other group, or from AnySource; see [Comm.Probe].
func (i *Intercomm) Probe(from int, tag int64) (Received, error) {
	return i.c.Probe(i.remote("Probe", from), tag)
}

// Iprobe is like Probe, but does not wait; see [Comm.Iprobe].
func (i *Intercomm) Iprobe(from int, tag int64) (got Received, there bool, err error) {
	return i.c.Iprobe(i.remote("Iprobe", from), tag)
}

// Shrink returns one of the members of both groups that are left, in their order; see [Comm.Shrink].
func (i *Intercomm) Shrink() (*Intercomm, error) {
	both, err := i.c.Shrink()
	if err != nil {
		return nil, err
	}
	first := 0
	for member := range i.first {
		if _, in := both.group.memberOf(i.c.group.process(member)); in {
			first++
		}
	}
	smaller := &Intercomm{first: first, both: both.group}
	smaller.connect(both)
	return smaller, nil
}
