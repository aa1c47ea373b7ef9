// Package text has what all texts of the project are made of that the standard library lacks: numbers of things
// ([Count]), large numbers ([Thousands]), lists ([List]) and tables ([Columns]).
package text
