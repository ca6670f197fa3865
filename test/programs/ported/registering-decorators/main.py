"""Decorators that keep functions in a table, look at their signatures and bind arguments to them."""

import functools
import inspect

routes = {}


def route(path):
    def keep(function):
        routes[path] = function
        function.path = path
        return function

    return keep


def traced(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


def checked(function):
    signature = inspect.signature(function)

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        for name, value in given.arguments.items():
            kind = signature.parameters[name].annotation
            if isinstance(kind, type) and kind is not inspect.Parameter.empty and not isinstance(value, kind):
                raise TypeError(f"{name} should be {kind.__name__}, not {value!r}")
        return function(*given.args, **given.kwargs)

    return wrapper


class Views:
    @route("/list")
    def listing(self, page, size=20, *, order="name"):
        return (page, size, order)

    @traced
    @route("/one")
    def one(self, key):
        return key

    @checked
    def put(self, key: str, count: int = 1, *rest, **more):
        return (key, count, rest, more)


@checked
def area(width: int, height: int = 2, /, *, unit: str = "m"):
    return f"{width * height}{unit}"


views = Views()
for function in (Views.listing, views.listing, Views.one, views.one, Views.put, views.put, area, routes["/one"]):
    print(function.__name__, inspect.signature(function), list(inspect.signature(function).parameters))
print(views.listing.path, sorted(routes), routes["/list"](views, 1), views.one(3))
print(views.put("a"), views.put("a", 2, 3, z=4), area(3), area(3, 4, unit="cm"))
for call in (lambda: views.put(1), lambda: area("x"), lambda: area(1, 2, 3), lambda: area(), lambda: area(1, depth=2)):
    try:
        print(call())
    except TypeError as error:
        print(error)

listed = inspect.signature(Views.listing)
bound = listed.bind(None, 1, order="size")
print(bound, bound.args, bound.kwargs, bound.arguments["page"])
bound.apply_defaults()
print(bound.args, bound.kwargs, listed.bind_partial(size=3).arguments)
try:
    listed.bind(None, 1, page=2)
except TypeError as error:
    print(error)


def many(a, b=1, *args, c, d=2, **kwargs):
    return a


print(inspect.getfullargspec(many).args, inspect.getfullargspec(many)[1:4], inspect.getfullargspec(many).kwonlydefaults)
print(inspect.getfullargspec(views.listing).args, inspect.getfullargspec(area).kwonlyargs)
