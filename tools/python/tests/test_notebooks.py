"""All notebooks run from start to end."""

import pathlib

import pytest

EXAMPLES = pathlib.Path(__file__).parent.parent / "examples"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs(path, monkeypatch):
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    for needed in ("ipykernel", "matplotlib", "pandas"):
        pytest.importorskip(needed, reason=f"{needed} is not installed")
    monkeypatch.setenv("MPLBACKEND", "agg")
    # The same steps on a smaller scale.
    monkeypatch.setenv("LUDENS_POSITIONS", "3e5")
    monkeypatch.setenv("LUDENS_GAMES", "20")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert outputs and not any(output["output_type"] == "error" for output in outputs)


def test_there_are_notebooks():
    assert len(list(EXAMPLES.glob("*.ipynb"))) == 3
