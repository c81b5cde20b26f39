"""What wrong values are drawn from: the same whatever order the build is read in."""

from benchmarks.contract.mutants.pool import MOST, Pool
from tests.benchmarks.contract.making import call, rejected, rollout

LOOKED = call(
    "get_order", '{"order_id": "A-7", "lines": [{"sku": "X1"}], "ok": true}', order_id="A-7"
)


def test_values_stand_under_the_nearest_name():
    pool = Pool.of([rollout(LOOKED)])
    assert pool.named("order_id") == ("A-7",)
    assert pool.named("sku") == ("X1",)
    assert pool.named("ok") == (True,)
    assert pool.named("lines") == ()


def test_ids_stand_under_their_shape_too():
    pool = Pool.of([rollout(LOOKED, call("get_order", order_id="B-8"))])
    assert sorted(pool.shaped("Z-1")) == ["A-7", "B-8"]
    assert pool.shaped("Z-12") == ()


def test_true_is_not_one():
    pool = Pool.of([rollout(call("get_order", n=1), call("get_order", n=True))])
    assert sorted(map(repr, pool.named("n"))) == ["1", "True"]


def test_what_a_rejected_call_answered_was_not_seen():
    pool = Pool.of([rollout(rejected("get_order", order_id="A-7"))])
    assert pool.named("order_id") == ("A-7",)
    assert list(pool.values) == ["order_id"]


def test_the_order_of_the_build_does_not_matter_and_few_are_kept():
    rollouts = [rollout(call("get_order", order_id=f"A-{n}")) for n in range(100)]
    pool = Pool.of(rollouts)
    assert len(pool.named("order_id")) == MOST
    assert pool == Pool.of(reversed(rollouts))
