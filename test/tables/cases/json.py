import json

DATA = {"b": [1, 2.5, None, True, False], "a": {"x": "é\n\"\\/\u2028", "y": []}, "e": {}, "t": (1, 2)}

json.dumps(DATA)
json.dumps(DATA, indent=2)
json.dumps(DATA, indent=0)
json.dumps(DATA, indent="\t")
json.dumps(DATA, sort_keys=True)
json.dumps(DATA, ensure_ascii=False)
json.dumps(DATA, separators=(",", ":"))
json.dumps(DATA, indent=1, separators=(",", "="))
json.dumps({1: 1, 2.5: 2, None: 3, True: 4})
json.dumps({(1, 2): 3})
json.dumps({(1, 2): 3, "a": 1}, skipkeys=True)
json.dumps({1, 2})
json.dumps(object)
json.dumps({1, 2}, default=list)
json.dumps([{1}, {2}], default=lambda o: sorted(o))
json.dumps(b"x")
json.dumps(b"x", default=str)
json.dumps(float("nan"))
json.dumps([float("inf"), -float("inf")])
json.dumps(float("nan"), allow_nan=False)
json.dumps("😀")
json.dumps("\x7f\x00\x1f\u00e9")
json.dumps("</script>")
json.dumps(10**20)
json.dumps(1e100)
json.dumps(0.1 + 0.2)
json.dumps(1e-7)
json.dumps([])
json.dumps([], indent=2)
json.dumps({}, indent=2)
json.dumps([[], [[]], {}], indent=2)
json.dumps("a")
json.dumps(None)
json.dumps([1, [2, [3]]], indent=3)
json.dumps({"b": 1, "a": {"d": 1, "c": 2}}, sort_keys=True, indent=2)
json.dumps({2: 1, "a": 2}, sort_keys=True)
json.dumps({3: 1, 1: 2}, sort_keys=True)
json.loads('{"a": [1, 2.5, "x", null, true, false], "b": {"c": -1e3}}')
json.loads(" [1 , 2 ] ")
json.loads('"\\u00e9\\ud83d\\ude00\\n\\/"')
json.loads("1e2")
json.loads("-0.5")
json.loads("123456789012345678901234567890")
json.loads("[NaN, Infinity, -Infinity]")
json.loads(b'{"a": 1}')
json.loads('{"a": 1, "a": 2}')
json.loads("")
json.loads("{")
json.loads("[1,]")
json.loads('{"a" 1}')
json.loads('{"a": }')
json.loads("{'a': 1}")
json.loads("[1 2]")
json.loads("1 2")
json.loads('"abc')
json.loads('"a\nb"')
json.loads('"a\nb"', strict=False)
json.loads('"\\x"')
json.loads('"\\u12"')
json.loads("nul")
json.loads("[1,\n 2,\n x]")
json.loads('{"a": 1,}')
json.loads('{1: 2}')
json.loads(5)
json.loads(None)
json.loads("01")
json.loads("-")
json.loads("tru")
json.loads("[")
json.loads('["a", "b"')
json.loads("\ufeff1")
json.loads("1.5", parse_float=str)
json.loads("15", parse_int=str)
json.loads("[NaN]", parse_constant=lambda s: s.lower())
json.loads('{"a": {"b": 1}}', object_hook=lambda d: sorted(d.items()))
json.loads('{"b": 1, "a": 2}', object_pairs_hook=lambda pairs: pairs)
json.loads(json.dumps(DATA))
json.JSONDecodeError.__mro__[1].__name__
issubclass(json.JSONDecodeError, ValueError)
json.JSONEncoder().encode([1, {"a": 2}])
json.JSONEncoder(indent=2, sort_keys=True).encode({"b": 1, "a": 2})
json.JSONDecoder().decode("[1]")
json.JSONDecoder().raw_decode("[1] tail")
"".join(json.JSONEncoder().iterencode({"a": [1]}))


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y


class PointEncoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, Point):
            return {"x": o.x, "y": o.y}
        return super().default(o)


json.dumps([Point(1, 2)], cls=PointEncoder)
json.dumps([{1}], cls=PointEncoder)
json.dumps(Point(1, 2), default=lambda o: o.__dict__)
json.dumps(Point(1, 2), default=vars)
json.dumps(Point(1, 2))


def case_error_attributes():
    try:
        json.loads('{"a":\n  tru}')
    except json.JSONDecodeError as e:
        return [e.msg, e.pos, e.lineno, e.colno, e.doc]


def case_circular():
    xs = []
    xs.append(xs)
    return json.dumps(xs)


def case_files():
    import io

    f = io.StringIO()
    json.dump({"a": [1, 2]}, f, indent=2)
    f.seek(0)
    return [f.getvalue(), json.load(f)]
