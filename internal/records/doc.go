// Package records is what machines keep of the stable storage of a rank: named records, and which of their changes are safe.
//
//	var r records.Records
//	r.Change(records.Change{Name: "vote", Value: "3"})
//	r.Sync()                                          // what was changed is safe
//	r.Change(records.Change{Name: "vote", Deleted: true})
//	lost := r.Fail(func(change int) bool { return false }) // the rank fails, and loses what is not: 1 change
//
// How long that takes, and where records lie, is up to the machine.
package records
