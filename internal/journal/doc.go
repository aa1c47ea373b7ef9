// Package journal keeps the records of one rank in a file that only grows: changes are added at its end, and are there for good when they have been
// flushed.
//
//	j := journal.New("rank-3.journal", "rank 3 of run 5f1c")
//	err := j.Read(&known)            // what former lives have left
//	err = j.Append(known.Unsafe())   // all of that, or nothing
//	err = j.Flush()                  // it is on the disk
//	j.Keep()                         // nothing takes it back any more
//	err = j.Rollback()               // or: it takes back what was appended since the last Keep
//
// A file begins with a line that says what it is and whose. What follows are batches: the changes of one Append behind their length and two
// checksums, of the length and where it is, and of the changes. Whoever dies while it writes leaves a part of a batch at the end, which
// is as good as nothing: a batch is there when all of it is. Everything else that is not as it was written is an error, with the
// name of the file and where in it that is.
package journal
