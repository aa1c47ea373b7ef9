package tpch

import (
	"fmt"
	"time"
)

// Date is a day, counted from 1992-01-01, the first day of all TPC-H data.
type Date int16

const (
	// lastDate is 1998-12-31, the last day of all data (TPC-H, section 4.2.2.12).
	lastDate Date = 2556
	// lastOrder is the last day on which orders are placed: what is ordered then is shipped
	// and received before the data end (section 4.2.3).
	lastOrder = lastDate - 151
)

var firstDay = time.Date(1992, time.January, 1, 0, 0, 0, 0, time.UTC)

// ParseDate reads a day such as 1995-03-15, of those that TPC-H data cover.
func ParseDate(text string) (Date, error) {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || day.Before(firstDay) || day.After(lastDate.day()) {
		return 0, fmt.Errorf("tpch: date %q, want %v to %v, such as %v", text, Date(0), lastDate, Default().Date)
	}
	return Date(day.Sub(firstDay) / (24 * time.Hour)), nil
}

// String is the day as ParseDate reads it.
func (d Date) String() string { return d.day().Format(time.DateOnly) }

func (d Date) day() time.Time { return firstDay.AddDate(0, 0, int(d)) }
