package protocols_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols"
)

// keeping is a rank with whatever storage it is given.
type keeping struct {
	protocols.Proc
	storage protocols.Storage
}

func (k keeping) Storage() protocols.Storage { return k.storage }

// shelf is a storage that does nothing.
type shelf struct{ protocols.Storage }

func TestARankHasStorageOrSaysThatItHasNone(t *testing.T) {
	found, err := protocols.StorageOf(keeping{storage: shelf{}})
	require.NoError(t, err)
	require.Equal(t, shelf{}, found)
	found, err = protocols.StorageOf(keeping{})
	require.ErrorIs(t, err, protocols.ErrNoStorage)
	require.Nil(t, found)
}
