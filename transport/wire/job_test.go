package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKeyOfAJobComesBack(t *testing.T) {
	for _, j := range []Job{{}, NewJob(), NewJob()} {
		back, err := ParseKey(j.Key())
		require.NoError(t, err)
		require.Equal(t, j, back)
	}
}

func TestNoTwoJobsAreTheSame(t *testing.T) {
	a, b := NewJob(), NewJob()
	require.NotEqual(t, a.ID, b.ID)
	require.NotEqual(t, a.Secret, b.Secret)
}

func TestNameOfAJobDoesNotTellItsSecret(t *testing.T) {
	j := NewJob()
	_, secret, _ := strings.Cut(j.Key(), ":")
	require.Len(t, secret, 64)
	require.NotContains(t, j.String(), secret)
	require.Len(t, j.String(), 16)
}

func TestKeyThatIsNoneIsNotRepeated(t *testing.T) {
	key := NewJob().Key()
	for _, text := range []string{
		"", ":", "secret", key[:len(key)-1], key + "0", key[1:], strings.Replace(key, ":", "", 1),
		strings.Replace(key, ":", "::", 1), "g" + key[1:], key[:len(key)-1] + "x", " " + key, key + "\n",
		key[17:] + ":" + key[:16],
	} {
		j, err := ParseKey(text)
		require.Error(t, err, "%q", text)
		require.Zero(t, j)
		if len(text) > 10 {
			require.NotContains(t, err.Error(), text[:10])
			require.NotContains(t, err.Error(), text[len(text)-10:])
		}
	}
}
