import json
from dataclasses import asdict, astuple, dataclass, field
from types import SimpleNamespace


@dataclass
class Stop:
    name: str
    wait: float = 0.0


@dataclass
class Trip:
    distance: float
    seats: int = 4
    legs: list[float] = field(default_factory=list)
    stops: list[Stop] = field(default_factory=list)
    best: dict[str, float] = field(default_factory=dict)
    last: Stop | None = None

    def summary(self):
        return {**asdict(self), "kind": "trip", "factor": 2.0}

    def plain(self):
        return self.__dict__


t = Trip(12.0, legs=[5.0, 7.0], stops=[Stop("inn", 3.0)], best={"mon": 1.0}, last=Stop("end"))
print(asdict(t))
print(astuple(t))
print(json.dumps(asdict(t)))
print(asdict(t)["distance"], asdict(t)["seats"], asdict(t)["last"])
print(t.summary())
print(json.dumps(t.summary(), sort_keys=True))
print(vars(Stop("bar", 1.0)), t.plain()["distance"], json.dumps(Stop("pub", 9.0).__dict__))
print([asdict(s) for s in t.stops], getattr(t, "distance"), getattr(t, "seats"))
row = asdict(t)
row["distance"] = 20.0
print(row["distance"], f"{row['seats']}")
place = SimpleNamespace(height=3.0, floors=2)
print(place.height, place.floors, [place.height])
