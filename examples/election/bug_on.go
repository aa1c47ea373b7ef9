//go:build bug

package election

// trusting has a rank that has heard of somebody above leave it at that. That is the bug: whoever is above may fail before it leads.
const trusting = true
