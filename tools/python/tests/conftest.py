"""What the tests share."""

import ludens
import pytest


@pytest.fixture(scope="session")
def tic_tac_toe():
    return ludens.load("tic_tac_toe")


@pytest.fixture(scope="session")
def breakthrough():
    return ludens.load("breakthrough")


@pytest.fixture(scope="session")
def roshambo():
    return ludens.load("rock_paper_scissors")
