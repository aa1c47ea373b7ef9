package ulfm

// Payload is what this member has from an Ibcast or Iscatter that is complete, or from a receive.
func (r *Request) Payload() string {
	if o, ok := r.operation.(*passing); ok && r.matched {
		return o.own
	}
	return r.got.Payload
}

// Payloads are what this member has from an Igather, Iallgather or Ialltoall that is complete, by rank.
func (r *Request) Payloads() []string {
	if !r.matched {
		return nil
	}
	switch o := r.operation.(type) {
	case *passing:
		if o.share != nil || o.parent == None {
			return r.c.blocks(o.own)
		}
	case *alltoall:
		return o.received()
	}
	return nil
}

// Values are what this member has from an Ireduce or Iallreduce that is complete.
func (r *Request) Values() []int64 {
	o, ok := r.operation.(*passing)
	if !ok || !r.matched || o.share == nil && o.parent != None {
		return nil
	}
	return unpacked(o.own)
}

// payload, payloads and values are what calls return that wait.
func (r *Request) payload(err error) string {
	if err != nil {
		return ""
	}
	return r.Payload()
}

func (r *Request) payloads(err error) []string {
	if err != nil {
		return nil
	}
	return r.Payloads()
}

func (r *Request) values(err error) []int64 {
	if err != nil {
		return nil
	}
	return r.Values()
}
