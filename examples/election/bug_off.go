//go:build !bug

package election

// trusting has a rank that has heard of somebody above leave it at that.
const trusting = false
