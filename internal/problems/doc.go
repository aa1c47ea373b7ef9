// Package problems makes one error of everything that is wrong with an input.
//
// Whoever checks something collects problems in a [List], and refuses with all of them at once, in its
// own name:
//
//	var wrong problems.List
//	problems.Range(&wrong, "overhead o", o, 1, most, "ticks")
//	wrong.Check(root < ranks, "root %d, want 0 to %d", root, ranks-1)
//	return wrong.Err("broadcast") // broadcast: overhead o = 0 ticks, want 1 to 99; root 9, want 0 to 7
//
// The [Error] keeps who refuses and the problems apart, so that nobody has to take its text to pieces:
// who has other words for what it is about gets the problems with [Of], or adds them to its own with
// [List.About].
package problems
