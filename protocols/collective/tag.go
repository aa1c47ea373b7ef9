package collective

// MaxTasks is the largest number of tasks of a team.
const MaxTasks = 1 << 20

// content is what a message carries.
type content int64

const (
	values content = iota // what the operation is about
	needed                // from who receives to who sends: what is needed
	offer                 // from who sends to who receives: a backup
	backup                // an intermediate result, for safekeeping or brought back
)

// tag tells the messages of operations apart. A communicator sees less than 2^20 of them between
// two failures, or they are too long ago to be mistaken for others.
func (o *operation) tag(c content, from, to int) int64 {
	return (int64(o.number)%(1<<20)<<2|int64(c))<<40 | int64(from)<<20 | int64(to)
}

// stopped is what an algorithm panics with when a send or a receive fails: there is nothing left for it to do.
// It comes no further than exchange.
type stopped struct{ err error }

// send sends something from a task of this rank to one of another. If that fails it does not return.
func (o *operation) send(c content, from, to int, payload string) {
	o.sendTo(o.member(to), c, from, to, payload)
}

// sendTo is send if it is known which member does the other task.
func (o *operation) sendTo(member int, c content, from, to int, payload string) {
	if err := o.comm.SendPart(member, o.tag(c, from, to), payload); err != nil {
		panic(stopped{err})
	}
}

// receive receives it. If that fails it does not return.
func (o *operation) receive(c content, from, to int) string {
	return o.receiveFrom(o.member(from), c, from, to)
}

// receiveFrom is receive if it is known which member does the other task.
func (o *operation) receiveFrom(member int, c content, from, to int) string {
	got, err := o.comm.RecvPart(member, o.tag(c, from, to))
	if err != nil {
		panic(stopped{err})
	}
	return got.Payload
}
