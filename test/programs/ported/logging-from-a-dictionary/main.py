"""Loggers set up from a dictionary, loggers and records of a class of the program's own."""

import logging
import logging.config
import io


class Upper(logging.Formatter):
    def format(self, record):
        return super().format(record).upper()


class Loud(logging.Filter):
    def __init__(self, word="x"):
        super().__init__()
        self.word = word

    def filter(self, record):
        return self.word in record.getMessage()


class Kept(logging.Handler):
    def __init__(self, name_of, size=3):
        super().__init__()
        self.name_of = name_of
        self.size = size
        self.seen = []

    def emit(self, record):
        self.seen.append(self.format(record))


old = logging.getLogger("old")
child = logging.getLogger("app.db")
child.setLevel(logging.ERROR)
logging.config.dictConfig(
    {
        "version": 1,
        "formatters": {
            "plain": {"format": "%(levelname)s:%(name)s:%(message)s"},
            "braces": {"format": "{levelname}|{message}", "style": "{"},
            "upper": {"()": "__main__.Upper", "fmt": "%(message)s"},
        },
        "filters": {"loud": {"()": "__main__.Loud", "word": "keep"}, "app": {"name": "app"}},
        "handlers": {
            "out": {"class": "logging.StreamHandler", "stream": "ext://sys.stdout", "formatter": "plain", "level": "INFO"},
            "braces": {"class": "logging.StreamHandler", "stream": "ext://sys.stdout", "formatter": "braces"},
            "kept": {"class": "__main__.Kept", "name_of": "k", "size": 5, "formatter": "upper", "filters": ["loud"]},
            "buffer": {"class": "logging.handlers.MemoryHandler", "capacity": 10, "target": "kept"},
        },
        "loggers": {
            "app": {"level": "DEBUG", "handlers": ["braces", "kept"], "propagate": False},
            "svc": {"level": "WARNING", "handlers": []},
        },
        "root": {"level": "INFO", "handlers": ["out"]},
    }
)
logging.getLogger("x").info("root info")
logging.getLogger("x").debug("nothing")
logging.getLogger("app").debug("dbg keep me")
logging.getLogger("app").info("dropped by the filter")
child.info("from the child")
old.error("disabled")
logging.getLogger("svc").info("too low")
logging.getLogger("svc").warning("warned")
print(old.disabled, child.level, child.propagate)
print([h.name for h in logging.getLogger("app").handlers], logging.getLogger("app").handlers[1].seen)
print(sorted(logging.root.manager.loggerDict))
for bad in [
    {},
    {"version": 2},
    {"version": 1, "handlers": {"h": {"class": "logging.StreamHandler", "formatter": "none"}}},
    {"version": 1, "root": {"handlers": ["none"]}},
    {"version": 1, "handlers": {"h": {"class": "no.such.Handler"}}},
]:
    try:
        logging.config.dictConfig(bad)
    except ValueError as e:
        print(e)
logging.config.dictConfig({"version": 1, "incremental": True, "loggers": {"app": {"level": "ERROR"}}})
print(logging.getLogger("app").level)
old_factory = logging.getLogRecordFactory()


def factory(*args, **kwargs):
    record = old_factory(*args, **kwargs)
    record.custom = "X"
    return record


class Named(logging.Logger):
    def __init__(self, name, level=logging.NOTSET):
        super().__init__(name, level)
        self.count = 0

    def shout(self, message):
        self.count += 1
        self.warning(message.upper())


logging.setLogRecordFactory(factory)
logging.setLoggerClass(Named)
mine = logging.getLogger("mine")
stream = io.StringIO()
handler = logging.StreamHandler(stream)
handler.setFormatter(logging.Formatter("%(custom)s %(name)s %(message)s"))
mine.addHandler(handler)
mine.propagate = False
mine.shout("hello %s")
mine.error("e %d", 5)
print(stream.getvalue(), mine.count, type(mine).__name__, logging.getLoggerClass().__name__)
solo = logging.Logger("solo")
solo.addHandler(handler)
solo.warning("alone")
print(stream.getvalue().splitlines()[-1], solo.name, solo.level, solo.parent)
