package protocols

// Rejoining is a Proc of a machine on which ranks that have failed can be started again. What
// wraps a Proc should pass it on.
type Rejoining interface {
	Proc
	// Life is how often the rank has been started before. It is all that a program that is
	// started again knows of its former lives.
	Life() int
}

// LifeOf returns how often a rank has been started before; 0 on machines where nobody ever is.
func LifeOf(p Proc) int {
	if r, ok := p.(Rejoining); ok {
		return r.Life()
	}
	return 0
}
