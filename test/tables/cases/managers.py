import asyncio
import contextlib
from contextlib import AbstractContextManager, AsyncContextDecorator, ContextDecorator, ExitStack, asynccontextmanager, closing, contextmanager, nullcontext, suppress

seen = []


class traced(ContextDecorator):
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        seen.append(f"+{self.name}")
        return self

    def __exit__(self, kind, error, trace):
        seen.append(f"-{self.name} {kind.__name__ if kind else None}")
        return kind is KeyError


def taken():
    made = list(seen)
    seen.clear()
    return made


def case_a_manager_that_decorates():
    @traced("f")
    def f(a, b=2):
        seen.append("in")
        return a + b

    results = [f(1), f(1, b=5), f.__name__]
    return (results, taken())


def case_a_manager_that_decorates_a_method():
    class Service:
        @traced("m")
        def run(self, x):
            return (type(self).__name__, x)

    return (Service().run(3), taken())


def case_a_decorating_manager_swallows():
    @traced("k")
    def fail():
        raise KeyError("x")

    return (fail(), taken())


def case_a_decorating_manager_passes_on():
    @traced("v")
    def fail():
        raise ValueError("no")

    try:
        fail()
    except ValueError as error:
        return (str(error), taken())


def case_the_same_manager_in_a_with():
    with traced("w") as manager:
        seen.append(manager.name)
    return taken()


def case_a_manager_with_only_an_exit():
    class Quiet(AbstractContextManager):
        def __exit__(self, *details):
            seen.append(details[0] is None)

    with Quiet() as quiet:
        pass
    return (type(quiet).__name__, isinstance(quiet, AbstractContextManager), isinstance(traced("x"), AbstractContextManager), isinstance(3, AbstractContextManager), taken())


def case_a_generator_that_decorates():
    @contextmanager
    def tag(name):
        seen.append(f"<{name}>")
        yield
        seen.append(f"</{name}>")

    @tag("b")
    def bold(text):
        seen.append(text)
        return text.upper()

    return (bold("x"), bold("y"), bold.__name__, taken())


def case_an_asynchronous_manager_that_decorates():
    @asynccontextmanager
    async def tag(name):
        seen.append(f"<{name}>")
        yield name
        seen.append(f"</{name}>")

    class timed(AsyncContextDecorator):
        async def __aenter__(self):
            seen.append("start")
            return self

        async def __aexit__(self, *details):
            seen.append("end")

    @tag("a")
    async def first(x):
        return x + 1

    @timed()
    async def second(x):
        return x * 2

    async def main():
        return [await first(1), await first(2), await second(4)]

    return (asyncio.run(main()), taken())


def case_errors_of_a_stack_keep_what_they_handled():
    def fail():
        raise ValueError("while leaving")

    try:
        with ExitStack() as stack:
            stack.callback(fail)
            raise KeyError("first")
    except ValueError as error:
        return (str(error), repr(error.__context__))
