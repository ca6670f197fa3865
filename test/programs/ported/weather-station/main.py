"""Weather station: readings, rolling stats, alerts, JSON export."""
import json
import math
from collections import deque
from statistics import fmean, pstdev


class Sensor:
    def __init__(self, name, unit, low=None, high=None):
        self.name = name
        self.unit = unit
        self.low = low
        self.high = high
        self.readings = []
        self.window = deque(maxlen=3)

    def record(self, t, value):
        self.readings.append((t, value))
        self.window.append(value)
        if self.low is not None and value < self.low:
            return f"{self.name} low at {t}: {value}{self.unit}"
        if self.high is not None and value > self.high:
            return f"{self.name} high at {t}: {value}{self.unit}"
        return None

    @property
    def latest(self):
        return self.readings[-1][1] if self.readings else None

    def rolling(self):
        return sum(self.window) / len(self.window)

    def trend(self):
        n = len(self.readings)
        mx = sum(t for t, _ in self.readings) / n
        my = sum(v for _, v in self.readings) / n
        num = sum((t - mx) * (v - my) for t, v in self.readings)
        den = sum((t - mx) ** 2 for t, _ in self.readings)
        return num / den

    def summary(self):
        values = [v for _, v in self.readings]
        return {"name": self.name, "min": min(values), "max": max(values), "mean": fmean(values), "stdev": pstdev(values), "last": self.latest}


def dew_point(temp, humidity):
    a, b = 17.62, 243.12
    g = math.log(humidity / 100) + a * temp / (b + temp)
    return round(b * g / (a - g), 1)


def to_f(c):
    return c * 9 / 5 + 32


class Station:
    def __init__(self):
        self.sensors = {}
        self.alerts = []

    def add(self, sensor):
        self.sensors[sensor.name] = sensor
        return self

    def feed(self, lines):
        for line in lines:
            t, name, value = line.split()
            alert = self.sensors[name].record(int(t), float(value))
            if alert:
                self.alerts.append(alert)

    def export(self):
        return json.dumps([s.summary() for s in self.sensors.values()], indent=1)


st = Station().add(Sensor("temp", "C", low=0.0, high=30.0)).add(Sensor("hum", "%"))
st.feed(["0 temp 20", "1 temp 22.0", "2 temp 31", "0 hum 50", "3 temp -1.0", "1 hum 70.0"])
print(*st.alerts, sep="\n")
temp = st.sensors["temp"]
print(temp.latest, temp.rolling(), temp.trend(), list(temp.window), temp.readings)
print(st.export())
print(dew_point(20.0, 50.0), to_f(100), to_f(20.0), to_f(-40))
for name, s in st.sensors.items():
    print(name, s.summary())
    lo, hi = s.summary()["min"], s.summary()["max"]
    print(lo, hi, hi - lo, f"{lo}..{hi}")
days = [{"name": "mon", "values": [20.0, 22.0]}, {"name": "tue", "values": [10.0, 11.0]}]
for day in days:
    day["mean"] = sum(day["values"]) / len(day["values"])
    day["peak"] = max(day["values"])
for day in sorted(days, key=lambda d: d["peak"]):
    print(day["name"], day["mean"], day["peak"])
print([day["mean"] for day in days], {day["name"]: day["peak"] for day in days})
groups = [[] for _ in range(2)]
for i, day in enumerate(days):
    groups[i].append((day["peak"], day["name"]))
print(groups)
