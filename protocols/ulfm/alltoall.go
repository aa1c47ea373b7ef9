package ulfm

// Alltoall sends each member a part of its own, by rank, and returns what all members have sent to this one. See [Comm.Bcast] on errors.
func (c *Comm) Alltoall(parts []string) ([]string, error) {
	c.begin("Alltoall")
	r := c.alltoall("Alltoall", parts)
	_, err := r.wait()
	return r.payloads(err), err
}

// Ialltoall begins an [Comm.Alltoall]. When the request is complete its [Request.Payloads] are the result.
func (c *Comm) Ialltoall(parts []string) *Request {
	c.begin("Ialltoall")
	return c.r.goOn(c.alltoall("Ialltoall", parts))
}

func (c *Comm) alltoall(call string, parts []string) *Request {
	c.checkParts(call, parts)
	tag, _ := c.nextTags()
	a := &alltoall{c: c, call: call, tag: tag, parts: parts}
	for i := 1; i < c.Size(); i++ {
		from := (c.me - i + c.Size()) % c.Size()
		a.receives = append(a.receives, c.receive(new(Request), call, creation, from, a.tag))
	}
	return &Request{c: c, call: call, from: None, operation: a}
}

// alltoall is one that is under way: everybody sends to those behind it, one after the other.
type alltoall struct {
	c        *Comm
	call     string
	tag      int64
	parts    []string
	sent     int
	receives []*Request // from those before this member, the nearest first
}

func (a *alltoall) advance() (done bool, err error) {
	for ; a.sent < len(a.receives); a.sent++ {
		to := (a.c.me + a.sent + 1) % a.c.Size()
		if err := a.c.send(a.call, creation, to, a.tag, a.parts[to]); err != nil {
			return false, err
		}
	}
	for _, r := range a.receives {
		if !r.matched {
			return false, r.failure()
		}
	}
	return true, nil
}

func (a *alltoall) cancel() {
	for _, r := range a.receives {
		r.Cancel()
	}
}

func (a *alltoall) waitsFor() (members []int) {
	for _, r := range a.receives {
		if !r.matched {
			members = append(members, r.from)
		}
	}
	return members
}

// received are the parts of all members, by rank.
func (a *alltoall) received() []string {
	all := make([]string, a.c.Size())
	all[a.c.me] = a.parts[a.c.me]
	for _, r := range a.receives {
		all[r.from] = r.got.Payload
	}
	return all
}
