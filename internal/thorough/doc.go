// Package thorough says how much of what they could try tests do try: all of it with the flag -thorough, which is for
// changes to a protocol or the machine and takes minutes; without it a sample that sees every kind of case; and a small one
// with -short, which is for the race detector.
package thorough
