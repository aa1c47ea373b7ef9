// Package aparttest has a machine that is one of several processes, each of which runs the suite of package proctest on its own ranks only.
//
//	m := aparttest.Machine{Group: group, Pace: tcp.Free, Tick: 50 * time.Microsecond}
//	proctest.Test(t, m.Tested())
//
// Next: machine.go.
package aparttest
