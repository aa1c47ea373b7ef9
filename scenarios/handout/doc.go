// Package handout hands out work to the processes of a group (package emu/parts), to whoever is free.
//
//	if group.Index() != 0 {
//		return handout.Serve(ctx, group, hands, do) // until there is nothing left to do
//	}
//	office, err := handout.Open(group)
//	defer office.Close()
//	result, err := office.Do(ctx, task) // from as many goroutines as there are hands elsewhere
//
// Tasks and results are bytes, about which this package knows nothing. A task that fails elsewhere fails here, with the same text.
package handout
