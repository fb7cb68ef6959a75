"""Trees of parameters as points of a cube, and back."""

import numpy as np
import optuna
import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.trial import TrialState, create_trial

from automl.search.samplers import build_sampler
from automl.search.samplers._cube import cube_of
from automl.search.samplers._moves import NUM_FIRST, state_of

KIND = CategoricalDistribution(("plain", "deep"))
RATE = FloatDistribution(1e-4, 1.0, log=True)
DEPTH = IntDistribution(2, 9)
WIDTH = IntDistribution(8, 512, log=True)
EVEN = IntDistribution(0, 10, step=2)
PLAIN = ({"kind": "plain", "rate": 1e-2, "even": 4}, {"kind": KIND, "rate": RATE, "even": EVEN})
DEEP = ({"kind": "deep", "depth": 9, "width": 8, "even": 10}, {"kind": KIND, "depth": DEPTH, "width": WIDTH, "even": EVEN})


@pytest.mark.parametrize(("params", "distributions"), [PLAIN, DEEP])
def test_what_is_encoded_is_decoded(params, distributions):
    cube = cube_of([PLAIN, DEEP])
    point = cube.encode(params)
    decoded = cube.decode(cube.snapped(np.where(np.isnan(point), 0.0, point)[None])[0])
    assert {name: decoded[name] for name in params} == pytest.approx(params)
    assert cube.space.keys() == {"kind", "even", "rate", "depth", "width"}
    assert all(distributions[name]._contains(distributions[name].to_internal_repr(decoded[name])) for name in params)


def test_every_place_of_the_cube_is_a_configuration():
    cube = cube_of([PLAIN, DEEP])
    for point in np.random.default_rng(0).uniform(-0.5, 1.5, (200, cube.num_columns)):
        for name, value in cube.decode(point).items():
            distribution = cube.space[name]
            assert distribution._contains(distribution.to_internal_repr(value))


def test_parameters_of_other_branches_are_put_aside():
    cube = cube_of([PLAIN, DEEP])
    columns = {axis.name: axis.columns for axis in cube.axes}
    points = np.full((2, cube.num_columns), 0.2)
    points[:, columns["kind"]] = np.eye(2)
    plain, deep = cube.snapped(points)
    assert plain[columns["kind"]].tolist() == [1.0, 0.0]
    assert plain[columns["depth"]].tolist() == [0.5]
    assert plain[columns["rate"]] != 0.5
    assert deep[columns["rate"]].tolist() == [0.5]
    assert deep[columns["depth"]] != 0.5


def test_trials_that_did_not_end_well_push_away():
    study = optuna.create_study(directions=["maximize"])
    for state, value, curve in [
        (TrialState.COMPLETE, 0.9, {}),
        (TrialState.COMPLETE, 0.5, {}),
        (TrialState.COMPLETE, 0.1, {}),
        (TrialState.PRUNED, None, {1: 0.99}),
        (TrialState.PRUNED, None, {1: 0.2}),
        (TrialState.FAIL, None, {}),
        (TrialState.RUNNING, None, {}),
    ]:
        study.add_trial(
            create_trial(state=state, value=value, intermediate_values=curve, params=PLAIN[0], distributions=PLAIN[1])
        )
    state = state_of(study, cube_of([PLAIN]), number=7, random=np.random.default_rng(0))
    assert state.losses.tolist() == [-0.9, -0.5, -0.1, -0.5, -0.2, -0.1]
    assert len(state.running) == 1


def test_first_trials_are_spread_without_a_liking_for_the_ends_of_ranges():
    drawn = []
    for seed in range(20):
        study = optuna.create_study(sampler=build_sampler("consensus", seed=seed))
        for _ in range(NUM_FIRST):
            trial = study.ask()
            drawn.append([trial.suggest_float(f"x{number}", 0.0, 1.0) for number in range(4)])
            study.tell(trial, 0.0)
    assert np.abs(np.array(drawn) - 0.5).mean() == pytest.approx(0.25, abs=0.02)  # 0.29 where corners are farthest
