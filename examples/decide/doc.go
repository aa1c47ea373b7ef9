// This is the package that docs/testing-your-protocol.md ends with, file by file: a protocol of one's own, and
// a test that tries every schedule of two failures.
package decide
