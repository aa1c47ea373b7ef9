package mailbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/mailbox"
)

func TestMessageWithoutPayloadCountsAsOneByte(t *testing.T) {
	require.Equal(t, 1, mailbox.Message{}.Bytes())
	require.Equal(t, 3, mailbox.Message{Payload: "abc"}.Bytes())
}
