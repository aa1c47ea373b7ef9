// Package carriertest has a carrier (see tcp.Carrier) between processes that are only goroutines of this one, for tests of what goes over any carrier.
//
//	carriers := carriertest.New(4)
//	node, err := tcp.Listen(tcp.Config{Job: job, Process: 2, Carrier: carriers[2]})
//
// Next: carrier.go.
package carriertest
