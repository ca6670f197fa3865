from datetime import date, datetime, time, timedelta, timezone, tzinfo
import datetime as dt

D = datetime(2024, 2, 29, 13, 5, 9, 123456)
U = datetime(2024, 2, 29, 13, 5, 9, tzinfo=timezone.utc)
P = timezone(timedelta(hours=5, minutes=30))
N = timezone(-timedelta(hours=3, minutes=30), "NST")

D
U
str(D)
str(U)
datetime(2024, 1, 1)
datetime(2024, 1, 1, 5, 6)
datetime(2024, 1, 1, 5, 6, 7)
datetime(2024, 1, 1, tzinfo=P)
str(datetime(2024, 1, 1, tzinfo=P))
datetime(2024, 1, 1, tzinfo=N)
datetime(2024, 1, 1, fold=1)
D.date()
D.time()
D.timetz()
U.timetz()
D.weekday()
D.isoweekday()
D.isocalendar()
D.isocalendar().week
D.toordinal()
D.timetuple().tm_yday
U.timestamp()
U.utcoffset()
U.tzname()
U.tzinfo
D.tzinfo
U.astimezone(P)
U.astimezone(N).isoformat()
datetime(2024, 1, 1, 23, 0, tzinfo=P).astimezone(timezone.utc)
D.replace(year=2023, day=1)
D.replace(month=13)
D.replace(day=30)
D.replace(tzinfo=timezone.utc)
D + timedelta(days=366)
D - timedelta(weeks=1, hours=3)
D - datetime(2023, 12, 31)
datetime(2023, 12, 31) - D
U - datetime(2024, 2, 29, 13, 5, 9, tzinfo=P)
D - U
D < U
D == U
D == D.replace()
D < datetime(2025, 1, 1)
D > date(2024, 1, 1)
D == date(2024, 2, 29)
max(D, datetime(2020, 1, 1))
sorted([date(2024, 3, 1), date(2023, 1, 1), date(2024, 2, 29)])
{date(2024, 1, 1): 1}[date(2024, 1, 1)]
hash(date(2024, 1, 1)) == hash(date(2024, 1, 1))
hash(U) == hash(U.astimezone(P))
D + 1
1 + D
D - 1
D + D
date(2024, 2, 30)
date(0, 1, 1)
datetime(2024, 1, 1, 24)
datetime(2024, 1, 1, 0, 60)
date(2024, 2, 29) + timedelta(1)
date(2024, 2, 29) - timedelta(366)
date(2024, 2, 29) - date(2023, 2, 28)
date(9999, 12, 31) + timedelta(1)
date(2024, 12, 30).isocalendar()
date(2021, 1, 3).isocalendar()
date.fromisocalendar(2024, 9, 4)
date.fromisocalendar(2024, 54, 1)
date.fromordinal(738945)
date.fromisoformat("2024-02-29")
date.fromisoformat("20240229")
date.fromisoformat("2024-W09-4")
date.fromisoformat("2024-2-9")
date(2024, 2, 29).ctime()
date(2024, 2, 9).strftime("%d/%m/%y %A %a %B %b %j %U %W %u %w %%")
date(2024, 2, 9).isoformat()
date(2024, 2, 9).timetuple()
date.min
date.max
date.resolution
datetime.min
datetime.max
time.max
timedelta.max
timedelta.min
timedelta.resolution
f"{D:%Y-%m-%d %H:%M:%S.%f}"
f"{D}"
f"{D:>30}" if False else format(D, "")
format(date(2024, 2, 29), "%d.%m.%Y")
"{:%H:%M}".format(D)
D.strftime("%Y-%m-%dT%H:%M:%SZ")
D.strftime("%I:%M %p")
D.replace(hour=0).strftime("%I %p")
D.strftime("%y %G-W%V-%u")
D.strftime("%c | %x | %X")
D.strftime("%-d")
D.strftime("[%z] [%Z]")
U.strftime("%z %Z")
U.astimezone(P).strftime("%z %Z")
U.astimezone(N).strftime("%z %Z")
D.strftime("%H%M%S%f %j")
D.strftime("100%% sure, ñ")
D.isoformat()
D.isoformat(" ")
D.isoformat(sep="_", timespec="minutes")
D.isoformat(timespec="milliseconds")
D.isoformat(timespec="auto")
D.isoformat(timespec="hours")
D.isoformat(timespec="seconds")
D.isoformat(timespec="bad")
U.isoformat()
D.replace(microsecond=0).isoformat()
D.replace(microsecond=0).isoformat(timespec="microseconds")
D.ctime()
datetime.fromisoformat("2024-02-29")
datetime.fromisoformat("2024-02-29T13:05")
datetime.fromisoformat("2024-02-29 13:05:09.123")
datetime.fromisoformat("2024-02-29T13:05:09.123456+05:30")
datetime.fromisoformat("2024-02-29T13:05:09Z")
datetime.fromisoformat("20240229T130509")
datetime.fromisoformat("2024-02-29T13:05:09-0330")
datetime.fromisoformat("nope")
datetime.fromisoformat("2024-13-01")
datetime.fromisoformat(D.isoformat()) == D
datetime.strptime("2024-02-29 13:05:09", "%Y-%m-%d %H:%M:%S")
datetime.strptime("29/Feb/24 01:05 PM", "%d/%b/%y %I:%M %p")
datetime.strptime("Thursday February 29 2024", "%A %B %d %Y")
datetime.strptime("2024-060", "%Y-%j")
datetime.strptime("12:30:15.25", "%H:%M:%S.%f")
datetime.strptime("2024-02-29T13:05:09+0530", "%Y-%m-%dT%H:%M:%S%z")
datetime.strptime("2024-02-29T13:05:09+05:30", "%Y-%m-%dT%H:%M:%S%z")
datetime.strptime("2024-02-29T13:05:09Z", "%Y-%m-%dT%H:%M:%S%z")
datetime.strptime("2024 09 4", "%G %V %u")
datetime.strptime("2024 5 1", "%Y %W %w")
datetime.strptime("99", "%y").year
datetime.strptime("68", "%y").year
datetime.strptime("1", "%d")
datetime.strptime("2024-02-30", "%Y-%m-%d")
datetime.strptime("2024-2-3x", "%Y-%m-%d")
datetime.strptime("abc", "%Y")
datetime.strptime("2024", "%Q")
datetime.strptime("  2024", " %Y")
datetime.strptime("5%", "%d%%")
datetime.combine(date(2024, 1, 2), time(3, 4, 5))
datetime.combine(date(2024, 1, 2), time(3, 4), tzinfo=P)
datetime.fromtimestamp(0, timezone.utc)
datetime.fromtimestamp(1709211909.5, tz=timezone.utc)
datetime.fromtimestamp(-1.25, timezone.utc)
datetime.utcfromtimestamp(86400)
datetime.fromordinal(738945)
date.fromtimestamp(0) in (date(1970, 1, 1), date(1969, 12, 31))
datetime.fromtimestamp(U.timestamp(), timezone.utc) == U
isinstance(D, date)
isinstance(date(2024, 1, 1), datetime)
type(D).__name__
type(D - D).__name__
issubclass(datetime, date)
timedelta(days=1, hours=2, minutes=3, seconds=4, milliseconds=5, microseconds=6, weeks=1)
timedelta(seconds=-1)
str(timedelta(seconds=-1))
str(timedelta(days=2, seconds=3661, microseconds=5))
str(timedelta(days=1))
str(timedelta())
timedelta()
timedelta(hours=25)
timedelta(days=0.5)
timedelta(hours=1.5, minutes=-90)
timedelta(microseconds=0.6)
timedelta(seconds=1) * 2.5
timedelta(seconds=7) / 2
timedelta(seconds=7) // 2
timedelta(seconds=7) / timedelta(seconds=2)
timedelta(seconds=7) // timedelta(seconds=2)
timedelta(seconds=7) % timedelta(seconds=2)
divmod(timedelta(seconds=7), timedelta(seconds=2))
2 * timedelta(seconds=7)
-timedelta(days=1, hours=1)
abs(timedelta(days=-1))
+timedelta(days=1)
timedelta(days=1) + timedelta(hours=1) - timedelta(minutes=1)
timedelta(days=1) > timedelta(hours=23)
timedelta(days=1) == timedelta(hours=24)
bool(timedelta(0))
sum([timedelta(1), timedelta(2)], timedelta())
timedelta(days=1).total_seconds()
timedelta(milliseconds=1).total_seconds()
timedelta(days=-1, seconds=5).days
timedelta(days=-1, seconds=5).seconds
timedelta(days=1) / 0  # language: !ZeroDivisionError: division by zero
timedelta(days=1) + 1
timedelta(days=1) < 1
timedelta(days=999999999, hours=25)
timedelta("1")
time(1, 2, 3)
time(1, 2, 3, 4)
str(time(1, 2))
time(1, 2).isoformat()
time(1, 2, tzinfo=timezone.utc)
time(13, 5).strftime("%I:%M %p")
time.fromisoformat("04:23:01.5")
time.fromisoformat("04:23:01+01:00")
time.fromisoformat("0423")
time(1, 2).replace(hour=5)
time(1) < time(2)
time(0) == time()
bool(time(0))
time(25)
timezone.utc
str(timezone.utc)
dt.UTC is timezone.utc
P
str(P)
N
str(N)
N.tzname(None)
P.utcoffset(None)
timezone(timedelta(hours=24))
timezone(timedelta(0))
timezone(timedelta(0)) == timezone.utc
timezone(timedelta(seconds=3601))
str(timezone(timedelta(seconds=3601)))
timezone(5)
D.astimezone(timezone.utc).tzinfo
(D.year, D.month, D.day, D.hour, D.minute, D.second, D.microsecond)
D.fold
dt.MINYEAR, dt.MAXYEAR
dt.date(2024, 1, 1)
dt.datetime(2024, 1, 1).__class__.__name__
D.utctimetuple().tm_hour
U.timetuple()
D.nope
D.dst()
str(D.replace(microsecond=100))
repr(U.astimezone(P))


def case_month_ends():
    shown = []
    day = date(2024, 1, 31)
    for _ in range(5):
        shown.append(day.isoformat())
        first = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
        day = (first + timedelta(days=32)).replace(day=1) - timedelta(days=1)
    return shown


def case_set_attribute():
    day = date(2024, 1, 31)
    day.year = 2025


def case_many_weeks():
    start = date(2019, 12, 26)
    return [(start + timedelta(days=i * 7)).strftime("%G-%V %U %W %j %a") for i in range(60)]

# ---------------------------------------------------------------- a zone of one's own with summer time


class Summer(tzinfo):
    """One hour behind in winter, level with UTC from May to September."""

    def utcoffset(self, dt):
        return timedelta(hours=-1) + self.dst(dt)

    def dst(self, dt):
        return timedelta(hours=1) if dt is not None and 5 <= dt.month < 9 else timedelta(0)

    def tzname(self, dt):
        return "SUM" if self.dst(dt) else "WIN"


[str(datetime(2024, month, 1, hour, tzinfo=timezone.utc).astimezone(Summer())) for month in (1, 5, 7, 9) for hour in (0, 2)]
[datetime(2024, 7, 1, tzinfo=Summer()).astimezone(timezone.utc).isoformat(), datetime(2024, 1, 1, tzinfo=Summer()).tzname(), datetime(2024, 7, 1, tzinfo=Summer()).strftime("%H:%M %Z%z")]
[datetime.fromtimestamp(1719792000, tz=Summer()).isoformat(), timezone.utc.fromutc(datetime(2024, 1, 1, tzinfo=timezone.utc)).isoformat()]

# ---------------------------------------------------------------- classes of one's own


class Day(date):
    def name(self):
        return self.strftime("%A")


class Stamp(datetime):
    def label(self):
        return f"{self:%d.%m.%Y}"


class Clock(time):
    pass


[type(x).__name__ for x in (Day(2024, 2, 28).replace(day=29), Day.today(), Day.fromisoformat("2024-02-29"), Day.fromordinal(9), Day.fromtimestamp(0), Day(2024, 1, 1) + timedelta(days=1), Day(2024, 1, 1) - timedelta(days=1), Day.fromisocalendar(2024, 5, 1))]
[Day.fromisoformat("2024-02-29").name(), Stamp.fromisoformat("2024-02-29T10:00").label(), Stamp.strptime("03/04/2021", "%d/%m/%Y").label(), Stamp.now().label() == datetime.now().strftime("%d.%m.%Y")]
[type(x).__name__ for x in (Stamp(2024, 1, 1).replace(year=2025), Stamp.now(), Stamp.utcnow(), Stamp.now(timezone.utc), Stamp.fromtimestamp(0, timezone.utc), Stamp.combine(date(2024, 1, 1), time(1)), Stamp(2024, 1, 1) + timedelta(1), Stamp(2024, 1, 1, tzinfo=timezone.utc).astimezone(timezone.utc), Stamp(2024, 1, 1).date())]
[type(Clock(1).replace(hour=2)).__name__, type(Clock.fromisoformat("10:20")).__name__]
[Stamp.combine(date(2024, 1, 1), time(1, 2)) == datetime(2024, 1, 1, 1, 2), repr(Stamp(2024, 1, 1).replace(day=2))]


def case_a_moment_with_more_to_it():
    class Noted(datetime):
        def __new__(cls, *args, **kwargs):
            made = super().__new__(cls, *args, **kwargs)
            made.note = "noted"
            return made

    return [(Noted(2024, 1, 1) + timedelta(hours=1)).note, type(Noted(2024, 1, 1).replace(day=2)).__name__]


datetime.fromtimestamp(1e12)
datetime.fromtimestamp(-1e15, timezone.utc)
date.fromtimestamp(1e13)
datetime.fromtimestamp(float("nan"))
datetime.fromtimestamp(float("inf"))
datetime.fromtimestamp(1e18)
datetime.fromtimestamp(253402300799, timezone.utc)
datetime.fromtimestamp(253402300800, timezone.utc)
