package model_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/model"
)

// TestLockSteps starts from one state each and takes one step.
func TestLockSteps(t *testing.T) {
	free := model.Lock{Now: 10, Token: 5}
	held := model.Lock{Now: 10, Until: 30, Token: 5, Held: true}
	for _, c := range []struct {
		name string
		from model.Lock
		step model.Step
		want model.Lock
		no   bool // refused, and unchanged
	}{
		{"first grant", model.Lock{Now: math.MinInt64}, model.Step{Effect: model.Grant, Token: 5, From: 10, To: 10, Lease: 20}, held, false},
		{"grant when free", free, model.Step{Effect: model.Grant, Token: 6, Pred: 5, From: 0, To: 10, Lease: 7}, model.Lock{Now: 10, Until: 17, Token: 6, Held: true}, false},
		{"grant as the lease ends", held, model.Step{Effect: model.Grant, Token: 6, Pred: 5, From: 0, To: 30, Lease: 7}, model.Lock{Now: 30, Until: 37, Token: 6, Held: true}, false},
		{"grant within the lease", held, model.Step{Effect: model.Grant, Token: 6, Pred: 5, From: 0, To: 29, Lease: 7}, held, true},
		{"grant behind another", free, model.Step{Effect: model.Grant, Token: 7, Pred: 6, From: 0, To: 99}, free, true},
		{"grant of the same token", free, model.Step{Effect: model.Grant, Token: 5, Pred: 5, From: 0, To: 99}, free, true},
		{"grant of a lower token", free, model.Step{Effect: model.Grant, Token: 4, Pred: 5, From: 0, To: 99}, free, true},
		{"grant after its window", free, model.Step{Effect: model.Grant, Token: 6, Pred: 5, From: 0, To: 9}, free, true},

		{"free", held, model.Step{Effect: model.Free, Token: 5, From: 12, To: 12}, model.Lock{Now: 12, Token: 5}, false},
		{"free long after the lease", held, model.Step{Effect: model.Free, Token: 5, From: 99, To: 99}, model.Lock{Now: 99, Token: 5}, false},
		{"free twice", free, model.Step{Effect: model.Free, Token: 5, From: 12, To: 12}, free, true},
		{"free another's", held, model.Step{Effect: model.Free, Token: 4, From: 12, To: 12}, held, true},
		{"free after its window", held, model.Step{Effect: model.Free, Token: 5, From: 9, To: 9}, held, true},

		{"gone when free", free, model.Step{Effect: model.Gone, Token: 5, From: 12, To: 12}, model.Lock{Now: 12, Token: 5}, false},
		{"gone as the lease ends", held, model.Step{Effect: model.Gone, Token: 5, From: 0, To: 30}, model.Lock{Now: 30, Token: 5}, false},
		{"gone within the lease", held, model.Step{Effect: model.Gone, Token: 5, From: 0, To: 29}, held, true},
		{"gone of an earlier token", held, model.Step{Effect: model.Gone, Token: 4, From: 12, To: 12}, model.Lock{Now: 12, Until: 30, Token: 5, Held: true}, false},
		{"gone of a later token", held, model.Step{Effect: model.Gone, Token: 6, From: 12, To: 12}, held, true},

		{"free or gone, held", held, model.Step{Effect: model.FreeOrGone, Token: 5, From: 12, To: 12}, model.Lock{Now: 12, Token: 5}, false},
		{"free or gone, free", free, model.Step{Effect: model.FreeOrGone, Token: 5, From: 12, To: 12}, model.Lock{Now: 12, Token: 5}, false},
		{"free or gone of a later token", free, model.Step{Effect: model.FreeOrGone, Token: 6, From: 12, To: 12}, free, true},

		{"may free, held", held, model.Step{Effect: model.MayFree, Token: 5, From: 12, To: 12}, model.Lock{Now: 12, Token: 5}, false},
		{"may free, free", free, model.Step{Effect: model.MayFree, Token: 5, From: 12, To: 12}, free, false},
		{"may free, another's", held, model.Step{Effect: model.MayFree, Token: 4, From: 12, To: 12}, held, false},
		{"may free after its window, held", held, model.Step{Effect: model.MayFree, Token: 5, From: 9, To: 9}, held, true},
		{"may free after its window, free", free, model.Step{Effect: model.MayFree, Token: 5, From: 9, To: 9}, free, false},
	} {
		got, ok := c.from.Step(&c.step)
		require.Equal(t, !c.no, ok, c.name)
		require.Equal(t, c.want, got, c.name)
	}
	require.Panics(t, func() { free.Step(&model.Step{To: 99}) })
}
