//go:build !bug

package snapshot

// end notes that all has come that was under way from a rank.
func (r *recorder) end(from int) { r.waiting[from] = false }
