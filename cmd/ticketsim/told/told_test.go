package told_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/client"
	"ticketing/cmd/ticketsim/told"
	"ticketing/model"
)

func TestAcquire(t *testing.T) {
	for err, want := range map[error]model.Outcome{
		nil: model.TimedOut, client.ErrBusy: model.Busy, client.ErrNotSent: model.NotSent, client.ErrIndeterminate: model.Indeterminate,
	} {
		var op model.Op
		told.Acquire(&op, nil, err)
		require.Equal(t, model.Op{Outcome: want}, op)
	}
	require.Panics(t, func() { told.Acquire(&model.Op{}, nil, errors.New("other")) })
}

func TestRelease(t *testing.T) {
	for _, c := range []struct {
		ending client.Ending
		err    error
		want   model.Op
	}{
		{client.Released, nil, model.Op{Outcome: model.Released, Tries: 1}},
		{client.Lost, nil, model.Op{Outcome: model.NotFound, Tries: 1}},
		{client.Gone, nil, model.Op{Outcome: model.NotFound, Tries: 2}},
		{0, client.ErrIndeterminate, model.Op{Outcome: model.Indeterminate, Tries: 2}},
		{0, client.ErrNotSent, model.Op{Outcome: model.NotSent}},
	} {
		var op model.Op
		told.Release(&op, c.ending, c.err)
		require.Equal(t, c.want, op)
	}
}
