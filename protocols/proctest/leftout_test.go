package proctest

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/mailbox"
)

// A field that is left out would have cases judge by less than what ranks have observed, and none of them might notice.
func TestWhatOtherProcessesWouldNotHearOf(t *testing.T) {
	for _, test := range []struct {
		of   reflect.Type
		want string
	}{
		{reflect.TypeFor[account[[]receipt]](), ""},
		{reflect.TypeFor[map[int][2]*mailbox.Message](), ""},
		{reflect.TypeFor[errand](), "from of proctest.errand"},
		{reflect.TypeFor[account[errand]](), "from of proctest.errand"},
		{reflect.TypeFor[[]map[int]*errand](), "from of proctest.errand"},
		{reflect.TypeFor[[1]mailbox.Want](), "from of mailbox.Want"},
		{reflect.TypeFor[struct{ F func() }](), "func()"},
		{reflect.TypeFor[[]any](), "interface {}"},
	} {
		require.Equal(t, test.want, leftOut(test.of), test.of.String())
	}
}
