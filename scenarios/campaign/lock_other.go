//go:build !unix

package campaign

import "os"

// lock trusts users where there are no such locks.
func lock(*os.File) bool { return true }
