// Package reporttest has what several packages need to test what they read from reports.
package reporttest
