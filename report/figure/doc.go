// Package figure draws diagrams of measurements, as SVG or PNG: lines with error bars, points,
// bars, ribbons and steps over linear and logarithmic axes and axes of categories.
//
// A [Figure] is plain data: labels with their units, two axes and series of points. A [Sheet] is
// several figures on one page. [Figure.Write] lists everything that is wrong with a figure, and
// what is valid can be drawn: values that are all the same, one point, or thousands of millions.
//
// Series differ in colour, in the shape of their markers and in the pattern of their lines, so
// that a figure can be read in grey and by people who do not see all colours (the palette is that
// of Okabe and Ito). The legend never covers data unless a corner is asked for. The same figure
// gives the same bytes.
//
// Lengths are those of [gonum.org/v1/plot], on which this is built: a figure is 7 by 4.5 inches,
// its text 12 points high, and a PNG has 200 pixels an inch.
package figure
