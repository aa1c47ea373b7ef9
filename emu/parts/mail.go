package parts

// Mail is a group whose members can also send messages to each other, whenever they like. It is for work that is handed out, and not
// for machines whose ranks are shared: these use the calls of [Group] alone.
type Mail interface {
	Group
	// Send gives a message to another member. It does not wait until that has taken it, and does not keep it.
	Send(to int, message []byte) error
	// Receive waits for the next message. Those of one sender come in the order in which they were sent. One goroutine at a time receives.
	Receive() (from int, message []byte, err error)
}
