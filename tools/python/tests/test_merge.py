"""Root statistics of several searches, added up."""

from ludens.cluster.merge import choose, merge


def row(move, visits, value, **more):
    return {"move": move, "visits": visits, "value": value, **more}


def test_visits_and_totals_are_added():
    found = merge([[row("a", 10, 50.0), row("b", 0, None)], [row("a", 30, 70.0), row("b", 20, 60.0)]])
    assert [(stats.move, stats.visits, stats.value) for stats in found] == [
        ("a", 40, 65.0),
        ("b", 20, 60.0),
    ]
    assert choose([]) is None and choose([[]]) is None


def test_one_worker_alone_decides_as_it_would():
    assert choose([[row("a", 100, 50.0), row("b", 10, 51.0)]]) == "b"


def test_what_one_has_proven_holds_for_all():
    lost = row("a", 1000, 90.0, bounds=(0.0, 0.0))
    draw = row("b", 10, 20.0, bounds=(50.0, 100.0))
    assert choose([[lost, draw], [row("a", 1000, 90.0), row("b", 1000, 10.0)]]) == "b"
    won = row("b", 1, 10.0, bounds=(100.0, 100.0))
    assert choose([[row("a", 1000, 99.0), won]]) == "b"


def test_the_best_line_counts_where_one_plays_alone():
    assert choose([[row("a", 10, 60.0, best=60.0)], [row("b", 10, 20.0, best=100.0)]]) == "b"
