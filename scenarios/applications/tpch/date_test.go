package tpch

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDatesCountDaysFrom1992(t *testing.T) {
	for text, want := range map[string]Date{
		"1992-01-01": 0, "1992-02-29": 59, "1993-01-01": 366, "1995-03-15": 1169, "1998-08-02": 2405, "1998-12-31": 2556,
	} {
		date, err := ParseDate(text)
		require.NoError(t, err)
		require.Equal(t, want, date, text)
	}
}

func TestDatesAreReadAsTheyAreWritten(t *testing.T) {
	for want := Date(0); want <= 2556; want++ {
		date, err := ParseDate(want.String())
		require.NoError(t, err)
		require.Equal(t, want, date)
	}
}

func TestDatesOutsideTheDataAreRefused(t *testing.T) {
	for _, text := range []string{"", "1991-12-31", "1999-01-01", "1993-02-29", "15.3.1995", "1995-03-15 12:00"} {
		_, err := ParseDate(text)
		require.EqualError(t, err, `tpch: date "`+text+`", want 1992-01-01 to 1998-12-31, such as 1995-03-15`)
	}
}
