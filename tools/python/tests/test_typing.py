"""The stubs name what there is, and the documentation's examples run."""

import ast
import doctest
import pathlib

import ludens
import ludens.policy


def test_stubs_and_module_have_the_same_names():
    stubs = pathlib.Path(ludens.__file__).parent / "_ludens.pyi"
    assert (stubs.parent / "py.typed").exists()
    tree = ast.parse(stubs.read_text())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    public = set(ludens.__all__) - {"__version__"}
    assert set(classes) | functions == public
    for name, node in classes.items():
        known = {name for name in vars(getattr(ludens, name)) if not name.startswith("_")}
        stubbed = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        assert {name for name in stubbed if not name.startswith("_")} == known, name


def test_everything_is_documented():
    for name in ludens.__all__:
        thing = getattr(ludens, name)
        if name == "__version__":
            continue
        assert thing.__doc__, name
        for attribute in (item for item in vars(thing) if not item.startswith("_")) if isinstance(thing, type) else ():
            assert getattr(thing, attribute).__doc__, f"{name}.{attribute}"


def test_examples_of_the_documentation_run():
    for module in (ludens, ludens.policy):
        found = doctest.testmod(module)
        assert found.attempted > 0 and found.failed == 0, module
