// Package wholefile writes files that are complete or not there: whoever reads one sees all of the old or all of
// the new text, and what could not be written to its end leaves the old file alone. What is read has an end.
package wholefile
