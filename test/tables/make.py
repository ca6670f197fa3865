"""Computes the tables of this folder: `python3 test/tables/make.py [topic…]` (CPython 3.11 or 3.12; no packages), and the programs of
`test/programs/ported` with them: of each `main.py` its spelling in the language, and what Python prints.

A case file `cases/<topic>.py` is ordinary Python. Its top-level expressions and its functions called `case_…` are the cases; everything else
is their common setup. Python evaluates each case; the table keeps its `.svc` spelling and what Python gave: the `repr` of the value, or
`!Name: message` of the exception. The language says it matches Python here (docs/language/values.md); where it says that it does not, there is
no case, or its last line ends in a comment `# language: outcome` or `# 3.12: outcome` (a text that changed after CPython 3.11). `tables.test.ts` runs the same cases as an `.svc` program and compares.
"""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

from svc_printer import body, expression, module, statement

here = Path(__file__).parent


def outcome(make):
    try:
        return repr(make())
    except BaseException as error:  # a case may raise anything
        return f"!{type(error).__name__}: {error}"


def stated(lines, node, make):
    """What the language states for a case: the comment on its last line, else what Python gives."""
    override = re.search(r"  # (?:3\.12|language): (.+)$", lines[node.end_lineno - 1])
    return override[1] if override else outcome(make)


def table(path):
    text = path.read_text()
    lines, tree = text.splitlines(), ast.parse(text)
    setup, rows = [], []
    scope = {"__name__": "table"}
    for node in tree.body:
        if isinstance(node, ast.Expr):
            code = compile(ast.Expression(node.value), str(path), "eval")
            rows.append([f"return {expression(node.value)};", stated(lines, node, lambda: eval(code, scope))])
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("case_"):
            exec(compile(ast.Module([node], []), str(path), "exec"), scope)
            rows.append([body(node.body, "")[1:-1].strip(), stated(lines, node, scope[node.name])])
        else:
            exec(compile(ast.Module([node], []), str(path), "exec"), scope)
            setup.append(("glob " if isinstance(node, ast.Assign) else "") + statement(node))
    return {"setup": "".join(setup), "rows": rows}


def write(path):
    made = table(path)
    rows = ",\n".join("    " + json.dumps(row) for row in made["rows"])
    text = f'{{\n  "setup": {json.dumps(made["setup"])},\n  "rows": [\n{rows}\n  ]\n}}\n'
    (here / f"{path.stem}.json").write_text(text)
    print(f"{path.stem}: {len(made['rows'])} cases")


def port(path):
    (path.parent / "main.svc").write_text(module(ast.parse(path.read_text())))
    printed = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True).stdout
    (path.parent / "output.txt").write_text(printed)


if __name__ == "__main__":
    for path in sorted((here / "cases").glob("*.py")):
        if not sys.argv[1:] or path.stem in sys.argv[1:]:
            write(path)
    for path in sorted((here.parent / "programs" / "ported").glob("*/main.py")):
        if not sys.argv[1:] or path.parent.name in sys.argv[1:]:
            port(path)
