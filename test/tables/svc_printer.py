"""Prints a Python syntax tree as an `.svc` program: braces, semicolons, parenthesised targets and lambda parameters.

Covers what the case files use; anything else raises, so that a case is never translated wrongly in silence.
"""

import ast


# Reserved words (docs/language/lexical.md#reserved-words) that a Python program may have as names: they take a back-tick where they stand alone.
_RESERVED = set(
    "abst can default disengage do edge entry enum exit flow forever glob has here impl imm include init let match mut obj "
    "override own postinit priv props protect pub report root setter getter deleter skip spawn static switch test to visit visitor wait walker "
    "cl sv na case awaiting check".split()
)


# Those that are names wherever they stand but as a parameter (docs/language/lexical.md#words-as-names).
_NOUNS = {"node", "sem"}


def _name(text):
    return f"`{text}" if text in _RESERVED else text


class _Expressions(ast._Unparser):
    """Expressions are spelled as in Python, except where docs/language/expressions.md differs."""

    def visit_Name(self, node):
        self.write(_name(node.id))

    def visit_arg(self, node):
        self.write(f"`{node.arg}" if node.arg in _NOUNS else _name(node.arg))
        if node.annotation:
            self.write(": ")
            self.traverse(node.annotation)

    def visit_MatchAs(self, node):
        spelled = ast.MatchAs(node.pattern, node.name and _name(node.name))
        self.set_precedence(self.get_precedence(node), spelled)
        super().visit_MatchAs(spelled)

    def visit_MatchStar(self, node):
        super().visit_MatchStar(ast.MatchStar(node.name and _name(node.name)))

    def visit_Lambda(self, node):
        with self.require_parens(ast._Precedence.TEST, node):
            self.write("lambda (")
            self.traverse(node.args)
            self.write(") : ")
            self.set_precedence(ast._Precedence.TEST, node.body)
            self.traverse(node.body)

    def visit_UnaryOp(self, node):  # the sign binds tighter than `**` (docs/language/expressions.md#powers)
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.BinOp) and isinstance(node.operand.op, ast.Pow):
            self.write("(-(")
            self.traverse(node.operand)
            self.write("))")
        else:
            super().visit_UnaryOp(node)

    def visit_Tuple(self, node):
        self.write("(")
        self.items_view(self.traverse, node.elts)
        self.write(")")

    def visit_comprehension(self, node):
        self.write(" async for " if node.is_async else " for ")
        self.traverse(node.target)
        self.write(" in ")
        self.set_precedence(ast._Precedence.TEST.next(), node.iter, *node.ifs)
        self.traverse(node.iter)
        for test in node.ifs:
            self.write(" if ")
            self.traverse(test)

    def visit_Subscript(self, node):  # a tuple in brackets needs no parentheses, and slices may not have them
        if isinstance(node.slice, ast.Tuple) and any(isinstance(e, (ast.Slice, ast.Starred)) for e in node.slice.elts):
            return super().visit_Subscript(node)
        self.set_precedence(ast._Precedence.ATOM, node.value)
        self.traverse(node.value)
        self.write("[")
        self.traverse(node.slice)
        self.write("]")


def expression(node):
    return _Expressions().visit(node)


def arguments(node):
    return expression(node)


def statement(node, pad="", in_class=False):
    """The lines of one statement, each ending in a line end."""
    kind = type(node).__name__
    if kind in _BLOCKS:
        return _BLOCKS[kind](node, pad)
    return "".join(f"{pad}{text}\n" for text in _simple(node, in_class))


def body(nodes, pad, in_class=False):
    inner = "".join((_member if in_class else statement)(node, pad + "  ") for node in nodes if not isinstance(node, ast.Pass))
    return "{\n" + inner + pad + "}"


def _member(node, pad):
    """A statement of a class body: what is no declaration and no assignment stands in an entry block of the class."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)):
        return statement(node, pad, True)
    return f"{pad}with entry {body([node], pad)}\n"


def _simple(node, in_class):
    match node:
        case ast.Expr():
            return [expression(node.value) + ";"]
        case ast.Return():
            return ["return;" if node.value is None else f"return {expression(node.value)};"]
        case ast.Assign():
            return [" = ".join(map(expression, [*node.targets, node.value])) + ";"]
        case ast.AugAssign():
            return [f"{expression(node.target)} {_Expressions.binop[type(node.op).__name__]}= {expression(node.value)};"]
        case ast.AnnAssign():
            value = "" if node.value is None else f" = {expression(node.value)}"
            return [f"{'has ' if in_class else ''}{expression(node.target)}: {expression(node.annotation)}{value};"]
        case ast.Raise():
            cause = f" from {expression(node.cause)}" if node.cause else ""
            return ["raise;" if node.exc is None else f"raise {expression(node.exc)}{cause};"]
        case ast.Assert():
            return [f"assert {expression(node.test)}{', ' + expression(node.msg) if node.msg else ''};"]
        case ast.Delete():
            return [f"del {', '.join(map(expression, node.targets))};"]
        case ast.Global() | ast.Nonlocal():
            return [f"{type(node).__name__.lower()} {', '.join(map(_name, node.names))};"]
        case ast.Break() | ast.Continue():
            return [type(node).__name__.lower() + ";"]
        case ast.Import():
            return [f"import {', '.join(map(_alias, node.names))};"]
        case ast.ImportFrom():
            return [f"import from {'.' * node.level}{node.module or ''} {{ {', '.join(map(_alias, node.names))} }}"]
        case ast.Pass():
            return []
    raise NotImplementedError(ast.dump(node))


def _alias(node):
    return node.name if node.asname is None else f"{node.name} as {_name(node.asname)}"


def _function(node, pad):
    head = "".join(f"{pad}@{expression(d)}\n" for d in node.decorator_list)
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    returns = f" -> {expression(node.returns)}" if node.returns else ""
    return f"{head}{pad}{word} {node.name}({arguments(node.args)}){returns} {body(_undocumented(node), pad)}\n"


def _class(node, pad):
    head = "".join(f"{pad}@{expression(d)}\n" for d in node.decorator_list)
    items = [*map(expression, node.bases), *(f"{k.arg}={expression(k.value)}" for k in node.keywords)]
    bases = f"({', '.join(items)})" if items else ""
    return f"{head}{pad}class {node.name}{bases} {body(_undocumented(node), pad, True)}\n"


def _undocumented(node):
    return node.body[1:] if ast.get_docstring(node) is not None else node.body


def _if(node, pad):
    text = f"{pad}if {expression(node.test)} {body(node.body, pad)}"
    while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
        text += f" elif {expression(node.test)} {body(node.body, pad)}"
    return text + (f" else {body(node.orelse, pad)}" if node.orelse else "") + "\n"


def _for(node, pad):
    word = "async for" if isinstance(node, ast.AsyncFor) else "for"
    text = f"{pad}{word} {expression(node.target)} in {expression(node.iter)} {body(node.body, pad)}"
    return text + (f" else {body(node.orelse, pad)}" if node.orelse else "") + "\n"


def _while(node, pad):
    text = f"{pad}while {expression(node.test)} {body(node.body, pad)}"
    return text + (f" else {body(node.orelse, pad)}" if node.orelse else "") + "\n"


def _with(node, pad):
    word = "async with" if isinstance(node, ast.AsyncWith) else "with"
    items = [expression(i.context_expr) + (f" as {expression(i.optional_vars)}" if i.optional_vars else "") for i in node.items]
    return f"{pad}{word} {', '.join(items)} {body(node.body, pad)}\n"


def _try(node, pad):
    text = f"{pad}try {body(node.body, pad)}"
    for handler in node.handlers:
        what = "" if handler.type is None else f" {expression(handler.type)}"
        text += f" except{what}{f' as {_name(handler.name)}' if handler.name else ''} {body(handler.body, pad)}"
    if node.orelse:
        text += f" else {body(node.orelse, pad)}"
    if node.finalbody:
        text += f" finally {body(node.finalbody, pad)}"
    return text + "\n"


def _match(node, pad):
    text = f"{pad}match {expression(node.subject)} {{\n"
    for case in node.cases:
        guard = f" if {expression(case.guard)}" if case.guard else ""
        inner = "".join(statement(n, pad + "    ") for n in case.body if not isinstance(n, ast.Pass))
        text += f"{pad}  case {expression(case.pattern)}{guard}:\n{inner}"
    return f"{text}{pad}}}\n"


_DECLARATIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def module(tree):
    """A whole program: assignments of single names become globs, other statements entry blocks, in their order."""
    text, waiting = "", []

    def settle():
        nonlocal text
        if waiting:
            text += "with entry " + body(waiting, "") + "\n"
        waiting.clear()

    for node in _undocumented(tree):
        is_glob = isinstance(node, ast.AnnAssign) or (
            isinstance(node, ast.Assign) and all(isinstance(target, ast.Name) for target in node.targets)
        )
        if isinstance(node, _DECLARATIONS) or is_glob:
            settle()
            text += ("glob " if is_glob else "") + statement(node)
        elif isinstance(node, ast.If) and expression(node.test).startswith("__name__"):
            waiting.extend(node.body)
        else:
            waiting.append(node)
    settle()
    return text


_BLOCKS = {
    "Match": _match,
    "FunctionDef": _function,
    "AsyncFunctionDef": _function,
    "ClassDef": _class,
    "If": _if,
    "For": _for,
    "AsyncFor": _for,
    "While": _while,
    "With": _with,
    "AsyncWith": _with,
    "Try": _try,
}
