// Package timeline draws a small run as text: a row for each rank, a column for each tick.
//
//	rank  0         5         10
//	   0  >>-->>>>>>----------<<<<<<--
//	   1  ......<<------<<<<----------
//
// A run of more ranks or more ticks than a terminal has room for is for package view.
package timeline
