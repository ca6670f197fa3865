import argparse
import asyncio
import logging
import os
import os.path
import pathlib
import platform
import queue
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings
from io import StringIO
from pathlib import Path, PurePosixPath


def in_folder(run):
    with tempfile.TemporaryDirectory() as folder:
        return run(folder)


def read_back(folder):
    p = os.path.join(folder, "a.txt")
    with open(p, "w") as f:
        written = f.write("one\ntwo\nthrée\n")
        f.writelines(["four\n", "five"])
    with open(p) as f:
        first = f.readline()
        rest = f.read()
    with open(p, "a") as f:
        f.write("!")
    with open(p) as f:
        lines = f.readlines()
    with open(p, "rb") as f:
        raw = f.read(8)
        at = f.tell()
        f.seek(-3, 2)
        tail = f.read()
    with open(p) as f:
        looped = [line.rstrip() for line in f]
    return [written, first, rest, lines, raw, at, tail, looped, f.closed, f.mode, os.path.basename(f.name), os.path.getsize(p)]


def modes(folder):
    out = []
    p = os.path.join(folder, "m.txt")
    for mode in ("r", "x", "x", "w+", "r+", "a+", "q", "rw"):
        try:
            with open(p, mode) as f:
                out.append([mode, f.readable(), f.writable()])
        except Exception as e:
            out.append([mode, type(e).__name__, str(e).replace(folder, "")])
    return out


def newlines(folder):
    p = os.path.join(folder, "n.txt")
    with open(p, "wb") as f:
        f.write(b"a\r\nb\rc\n")
    with open(p) as f:
        universal = f.read()
    with open(p, newline="") as f:
        raw = f.read()
    with open(p, "w", newline="\r\n") as f:
        f.write("x\ny\n")
    with open(p, "rb") as f:
        return [universal, raw, f.read()]


def file_errors(folder):
    out = []
    for act in (
        lambda: open(os.path.join(folder, "missing")),
        lambda: open(folder),
        lambda: os.mkdir(folder),
        lambda: os.listdir(os.path.join(folder, "missing")),
        lambda: os.remove(os.path.join(folder, "missing")),
        lambda: os.rmdir(os.path.join(folder, "missing")),
        lambda: Path(folder, "missing").read_text(),
        lambda: Path(folder).mkdir(),
        lambda: shutil.rmtree(os.path.join(folder, "missing")),
        lambda: shutil.copy(os.path.join(folder, "missing"), folder),
        lambda: os.rename(os.path.join(folder, "missing"), folder + "/x"),
        lambda: os.stat(folder + "/missing"),
        lambda: os.path.getsize(folder + "/missing"),
    ):
        try:
            act()
            out.append("no error")
        except OSError as e:
            out.append([type(e).__name__, e.errno, e.strerror, str(e).replace(folder, "F")])
    return out


def closed_file(folder):
    f = open(os.path.join(folder, "c"), "w")
    f.close()
    f.write("x")


def write_reader(folder):
    p = Path(folder, "c")
    p.write_text("")
    with open(p) as f:
        f.write("x")


def tree(folder):
    os.makedirs(os.path.join(folder, "a/b/c"))
    os.makedirs(os.path.join(folder, "a/b"), exist_ok=True)
    for name in ("z.txt", "a/y.py", "a/b/x.py", "a/b/c/w.md"):
        Path(folder, name).write_text(name)
    walked = sorted((os.path.relpath(d, folder), sorted(dirs), sorted(files)) for d, dirs, files in os.walk(folder))
    base = Path(folder)
    rel = lambda paths: sorted(str(p.relative_to(base)) for p in paths)
    shutil.copytree(base / "a", base / "copy")
    shutil.move(str(base / "z.txt"), str(base / "moved.txt"))
    shutil.copyfile(base / "moved.txt", base / "m2.txt")
    entries = sorted((e.name, e.is_dir(), e.is_file()) for e in os.scandir(folder))
    found = [rel(base.glob("*.txt")), rel(base.glob("**/*.py")), rel(base.rglob("*.md")), rel(base.iterdir()), rel(base.glob("a/*"))]
    shutil.rmtree(base / "copy")
    os.rename(base / "m2.txt", base / "m3.txt")
    os.replace(base / "m3.txt", base / "m4.txt")
    os.remove(base / "m4.txt")
    return [walked, entries, found, sorted(os.listdir(folder)), (base / "copy").exists(), os.path.isdir(base), os.path.isfile(base / "moved.txt"), os.path.exists(folder + "/none")]


def paths(folder):
    base = Path(folder)
    p = base / "x.txt"
    n = p.write_text("héllo")
    b = p.write_bytes(b"\x00\x01")
    raw = p.read_bytes()
    q = p.with_suffix(".md")
    p.rename(q)
    q.touch()
    size = q.stat().st_size
    (base / "d" / "e").mkdir(parents=True)
    (base / "d").mkdir(exist_ok=True)
    q.unlink()
    q.unlink(missing_ok=True)
    (base / "d" / "e").rmdir()
    return [n, b, raw, q.name, size, p.exists(), (base / "d").is_dir(), (base / "d").is_file(), p.is_symlink(), base.joinpath("a", "b").relative_to(base).as_posix()]


PP = PurePosixPath("/usr/lib/python3.tar.gz")

in_folder(read_back)
in_folder(modes)
in_folder(newlines)
in_folder(file_errors)
in_folder(closed_file)
in_folder(write_reader)
in_folder(tree)
in_folder(paths)
PP, str(PP), PP.name, PP.stem, PP.suffix, PP.suffixes, PP.parent, list(PP.parents), PP.parts, PP.root, PP.anchor, PP.with_name("x.y"), PP.with_suffix(".zip"), PP.with_stem("q"), PP / "a" / "../b", PP.is_absolute(), PP.match("*.gz"), PP.relative_to("/usr"), PP.joinpath("/abs"), PP.as_posix(), PP == PurePosixPath("/usr//lib/./python3.tar.gz"), PP < PurePosixPath("/z"), hash(PP) == hash(PurePosixPath(str(PP))), PurePosixPath(""), PurePosixPath("a", "b"), PurePosixPath("a/"), "x" / PurePosixPath("y"), PP.as_uri()
PP.relative_to("/home")  # 3.12: !ValueError: '/usr/lib/python3.tar.gz' is not in the subpath of '/home'
PP.with_suffix("bad")
PurePosixPath(5)  # 3.12: !TypeError: argument should be a str or an os.PathLike object where __fspath__ returns a str, not 'int'
Path("a/b").parent, Path("a").parent, Path(".").name, repr(Path("x")) in ("PosixPath('x')", "WindowsPath('x')"), str(Path("~").expanduser()) == os.path.expanduser("~"), Path("a") / "b" == Path("a/b"), Path.cwd() == Path(os.getcwd()), Path("x").resolve() == Path.cwd() / "x", isinstance(Path("a"), os.PathLike), os.fspath(Path("a")), f"{Path('a') / 'b'}"
os.path.join("a", "b", "/c", "d"), os.path.join("a/", "b"), os.path.split("/a/b.c"), os.path.splitext("a/b.tar.gz"), os.path.splitext(".bashrc"), os.path.basename("/a/b/"), os.path.dirname("/a/b"), os.path.normpath("/a/./b/../c//d"), os.path.isabs("/a"), os.path.commonpath(["/a/b", "/a/c"]), os.path.commonprefix(["abc", "abd"]), os.path.relpath("/a/b", "/a/c"), os.path.abspath("x") == os.getcwd() + "/x", os.sep, os.linesep, os.name, os.curdir, os.pardir, os.extsep, os.path.sep, os.path.expandvars("$NOPE_X/a"), os.path.exists("/"), os.path.isdir("/nope")
os.environ.get("NOPE_NOT_SET"), os.getenv("NOPE_NOT_SET", "d"), "PATH" in os.environ, os.environ["NOPE_NOT_SET"] if "NOPE_NOT_SET" in os.environ else 0, isinstance(os.getpid(), int), os.cpu_count() >= 1, len(os.urandom(5)), type(os.environ["PATH"]).__name__, os.get_terminal_size((80, 24)).columns if False else shutil.get_terminal_size((80, 24)).columns > 0, shutil.which("definitely-not-here")
os.environ["NOPE_NOT_SET"]
sys.maxsize, sys.byteorder, sys.version_info[0], sys.version_info >= (3, 8), sys.version_info.major, isinstance(sys.argv, list), isinstance(sys.path, list), sys.getrecursionlimit() > 100, isinstance(sys.version, str), isinstance(sys.platform, str), isinstance(sys.executable, str), sys.float_info.max > 1e308, sys.float_info.epsilon, type(sys.modules).__name__ == "dict", sys.getdefaultencoding(), sys.stdout.isatty() in (True, False), sys.getsizeof([]) > 0
sys.exit(3)
sys.exit("message")
time.gmtime(0), time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(86400)), time.gmtime(0).tm_year, time.gmtime(0)[0], time.strptime("2024-02-29", "%Y-%m-%d").tm_yday, time.asctime(time.gmtime(0)), isinstance(time.time(), float), time.time_ns() > 10**18, time.perf_counter() <= time.perf_counter(), time.monotonic_ns() <= time.monotonic_ns(), time.mktime(time.localtime(1000000)), len(time.localtime()), time.ctime(0)[-4:] in ("1970", "1969"), isinstance(time.process_time(), float)
time.strptime("x", "%Y")
time.sleep(0), time.sleep(0.001)
time.sleep(-1)
random.Random(1).random() == random.Random(1).random(), random.Random(5).randint(1, 1), 0 <= random.random() < 1, random.choice([7]), sorted(random.sample(range(5), 5)), len(random.choices("ab", k=4)), random.choices([1, 2], weights=[1, 0], k=3), random.choices("xy", cum_weights=[0, 1], k=2), 1 <= random.uniform(1, 2) <= 2, random.randrange(0, 10, 5) in (0, 5), random.sample("a", 1), isinstance(random.gauss(0, 1), float), 0 <= random.getrandbits(3) < 8, 0 <= random.betavariate(1, 1) <= 1, random.randbytes(0), 1 <= random.triangular(1, 3, 2) <= 3
random.choice([])
random.randint(5, 1)  # 3.12: !ValueError: empty range in randrange(5, 2)
random.sample([1], 2)
random.randrange(0)
random.choices([], k=1)
random.choices([1, 2], weights=[1], k=1)
subprocess.run(["echo", "hi"], capture_output=True, text=True).stdout, subprocess.run("echo $((1+2))", shell=True, capture_output=True).stdout, subprocess.run(["sh", "-c", "exit 3"]).returncode, subprocess.check_output(["printf", "x"]), subprocess.run(["cat"], input="in", capture_output=True, text=True).stdout, subprocess.run(["sh", "-c", "echo e >&2"], stderr=subprocess.PIPE, text=True).stderr, subprocess.run(["sh", "-c", "echo e >&2"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
subprocess.run(["sh", "-c", "exit 3"], check=True)
subprocess.run(["no-such-program-x"])
subprocess.run(["echo", "a"], capture_output=True)
logging.getLevelName(20), logging.getLevelName("INFO"), logging.DEBUG, logging.CRITICAL, logging.getLogger("a.b").name, logging.getLogger("a") is logging.getLogger("a"), logging.getLogger("a.b").parent.name, logging.getLogger().name, logging.WARN, logging.NOTSET


def logged(fmt, style="%", datefmt=None, level=logging.DEBUG):
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter(fmt, datefmt, style))
    log = logging.getLogger("table." + fmt + style)
    log.propagate = False
    log.setLevel(level)
    log.addHandler(handler)
    log.debug("debug %d", 1)
    log.info("info %s %s", "a", [1])
    log.warning("warn %(k)s", {"k": "v"})
    log.error("plain %")
    log.critical("five %05.1f", 2.25)
    log.log(25, "between")
    try:
        1 / 0
    except ZeroDivisionError:
        log.exception("failed")
    return [line for line in stream.getvalue().split("\n") if "File" not in line and "~" not in line and "^" not in line and line.strip() != "1 / 0" and "Traceback" not in line]


logged("%(levelname)s:%(name)s:%(message)s")
logged("%(levelname)-8s|%(message)s", level=logging.WARNING)
logged("{levelname} {message}", "{")
logged("$levelname ${message}", "$")
logged("%(levelno)d %(message)s %(funcName)s" if False else "%(levelno)d %(message)s")


def case_logger_disabled():
    log = logging.getLogger("quiet")
    log.setLevel("ERROR")
    return [log.isEnabledFor(logging.INFO), log.getEffectiveLevel(), log.level, log.hasHandlers(), log.handlers]


def case_logging_filter():
    stream = StringIO()
    log = logging.getLogger("filtered")
    log.propagate = False
    handler = logging.StreamHandler(stream)
    handler.addFilter(lambda record: "secret" not in record.getMessage())
    log.addHandler(handler)
    log.warning("secret")
    log.warning("open", extra={"user": "x"})
    return stream.getvalue()


def case_bad_level():
    logging.getLogger("q").setLevel("NOPE")


def case_chdir():
    import contextlib

    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        with contextlib.chdir(folder):
            inside = os.path.samefile(os.getcwd(), folder)
    return [inside, os.getcwd() == before]


def case_tempfiles():
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as f:
        f.write("hello")
        name = f.name
    text = open(name).read()
    os.unlink(name)
    folder = tempfile.mkdtemp(prefix="pre")
    is_dir = os.path.isdir(folder)
    os.rmdir(folder)
    with tempfile.NamedTemporaryFile() as g:
        g.write(b"x")
        g.seek(0)
        raw = g.read()
        there = os.path.exists(g.name)
    with tempfile.TemporaryFile("w+") as h:
        h.write("abc")
        h.seek(1)
        rest = h.read()
    return [text, name.endswith(".txt"), is_dir, os.path.basename(folder).startswith("pre"), raw, there, os.path.exists(g.name), rest, os.path.isdir(tempfile.gettempdir())]


def case_argparse():
    p = argparse.ArgumentParser(prog="app", description="Does things.")
    p.add_argument("file", help="input")
    p.add_argument("-n", "--count", type=int, default=1, help="how often")
    p.add_argument("-v", "--verbose", action="store_true")
    p.add_argument("--mode", choices=["a", "b"], default="a")
    p.add_argument("rest", nargs="*")
    ns = p.parse_args(["in.txt", "x", "y", "-n", "5", "-v"])
    return [ns, ns.file, ns.count, p.format_usage(), vars(p.parse_args(["f", "--mode=b"]))]


def case_traceback():
    try:
        {}["k"]
    except KeyError as e:
        lines = traceback.format_exc().strip().split("\n")
        return [lines[0], lines[-1], traceback.format_exception_only(type(e), e)]


def case_warnings():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warnings.warn("old", DeprecationWarning)
        warnings.warn("plain")
    return [[str(w.message), w.category.__name__] for w in seen]


def case_warning_as_error():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.warn("boom", UserWarning)


def case_queue():
    q = queue.Queue(maxsize=2)
    q.put(1)
    q.put_nowait(2)
    out = [q.full(), q.qsize(), q.get(), q.get_nowait(), q.empty()]
    try:
        q.get_nowait()
    except queue.Empty as e:
        out.append(type(e).__name__)
    q.put(1)
    q.put(2)
    try:
        q.put(3, block=False)
    except queue.Full:
        out.append("full")
    try:
        queue.Queue().get(timeout=0.01)
    except queue.Empty:
        out.append("timeout")
    p = queue.PriorityQueue()
    for item in [(3, "c"), (1, "a"), (2, "b")]:
        p.put(item)
    s = queue.LifoQueue()
    s.put(1)
    s.put(2)
    return [out, [p.get() for _ in range(3)], s.get()]


def case_threads():
    out = []
    lock = threading.Lock()

    def work(n):
        with lock:
            out.append(n)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return [sorted(out), lock.locked(), threads[0].is_alive(), threading.current_thread().name, lock.acquire(), lock.acquire(blocking=False), lock.release()]


def case_thread_event():
    event = threading.Event()
    out = []

    def waiter():
        event.wait()
        out.append("woken")

    t = threading.Thread(target=waiter, name="waiter", daemon=True)
    t.start()
    out.append("setting")
    event.set()
    t.join()
    return [out, event.is_set(), t.name, t.daemon]


def case_producer_consumer():
    q = queue.Queue()
    out = []

    def consume():
        while True:
            x = q.get()
            if x is None:
                break
            out.append(x * 2)
            q.task_done()

    t = threading.Thread(target=consume)
    t.start()
    for i in range(3):
        q.put(i)
    q.put(None)
    t.join()
    return out


def case_release_unlocked():
    threading.Lock().release()


def case_thread_local():
    local = threading.local()
    local.x = 1
    seen = []

    def work():
        seen.append(hasattr(local, "x"))

    t = threading.Thread(target=work)
    t.start()
    t.join()
    return [local.x, seen]


def case_asyncio_run():
    async def work(n):
        await asyncio.sleep(0.001 * n)
        return n * 2

    async def main():
        a = await work(1)
        b = await asyncio.gather(work(3), work(1), work(2))
        t = asyncio.create_task(work(1))
        c = await t
        try:
            await asyncio.wait_for(asyncio.sleep(5), timeout=0.01)
        except asyncio.TimeoutError:
            d = "timeout"
        e = await asyncio.gather(work(1), fail(), return_exceptions=True)
        return [a, b, c, d, e, t.done(), t.result()]

    async def fail():
        raise ValueError("bad")

    return asyncio.run(main())


def case_asyncio_queue():
    async def main():
        q = asyncio.Queue()
        out = []

        async def producer():
            for i in range(3):
                await q.put(i)
            await q.put(None)

        async def consumer():
            while True:
                x = await q.get()
                if x is None:
                    return
                out.append(x)

        await asyncio.gather(producer(), consumer())
        return out

    return asyncio.run(main())


def case_asyncio_locks():
    async def main():
        log = []
        lock = asyncio.Lock()
        sem = asyncio.Semaphore(2)
        event = asyncio.Event()

        async def locked(n):
            async with lock:
                log.append(f"in{n}")
                await asyncio.sleep(0)
                log.append(f"out{n}")

        async def waiting():
            await event.wait()
            log.append("event")

        t = asyncio.create_task(waiting())
        await asyncio.gather(locked(1), locked(2))
        async with sem:
            log.append("sem")
        event.set()
        await t
        return log

    return asyncio.run(main())


def case_asyncio_cancel():
    async def main():
        t = asyncio.create_task(asyncio.sleep(10))
        await asyncio.sleep(0)
        t.cancel()
        try:
            await t
        except asyncio.CancelledError:
            return ["seen", t.cancelled(), t.done()]

    return asyncio.run(main())


def case_async_generator():
    async def ticks(n):
        for i in range(n):
            await asyncio.sleep(0)
            yield i

    async def main():
        out = []
        async for t in ticks(3):
            out.append(t)
        return [out, [x async for x in ticks(4) if x % 2]]

    return asyncio.run(main())


def case_async_context():
    class Manager:
        async def __aenter__(self):
            await asyncio.sleep(0)
            return "in"

        async def __aexit__(self, *a):
            return True

    async def main():
        async with Manager() as m:
            raise ValueError("hidden")
        return m

    return asyncio.run(main())


def case_as_completed():
    async def work(n, before, after):
        await before.wait()
        after.set()
        return n

    async def main():
        turns = [asyncio.Event() for _ in range(5)]
        turns[0].set()
        out = []
        for c in asyncio.as_completed([work(n, turns[n - 1], turns[n]) for n in [3, 1, 2]]):
            out.append(await c)
        tasks = [asyncio.create_task(work(n, turns[n], turns[n])) for n in [3, 4]]
        done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for p in pending:
            p.cancel()
        return [out, len(done), len(pending)]

    return asyncio.run(main())


def case_to_thread():
    def slow(x):
        return x + 1

    async def main():
        return await asyncio.to_thread(slow, 4)

    return asyncio.run(main())


def case_lines_of_files_by_size_and_line_end():
    with tempfile.TemporaryDirectory() as folder:
        name = folder + "/lines.txt"
        with open(name, "w") as f:
            counts = [f.write("a😀b\nc\n"), f.write("")]
        with open(name) as f:
            text = [f.readline(2), f.tell(), f.readline(1), f.readline(5), f.readline(), f.seek(0, 2), f.read(), f.seek(0, 1), f.seek(0), f.readlines(2), f.readlines(-1)]
        with open(name, "rb") as f:
            data = [f.readline(2), f.readline(-1), f.readline(0), f.seek(0), f.readlines(7), f.readlines(None)]
        with open(name, "wb") as f:
            f.write(b"one\r\ntwo\rthree\nfour")
        ends = [open(name, newline=end).readlines() for end in [None, "", "\n", "\r", "\r\n"]]
        return counts, text, data, ends


def case_files_refuse_what_they_cannot_do():
    with tempfile.TemporaryDirectory() as folder:
        name, tries = folder + "/refused.txt", []
        with open(name, "w+") as f:
            f.write("text")
            for act in [lambda: f.write(None), lambda: f.write(b""), lambda: f.seek(1, 1), lambda: f.seek(-1, 2), lambda: open(name, newline="x"), lambda: open(name, ""), lambda: open(name, "rw"), lambda: StringIO("abc").seek(1, 1)]:
                try:
                    tries.append(act())
                except Exception as e:
                    tries.append((type(e).__name__, str(e)))
        return tries


StringIO().write("é😀"), StringIO("a\nb\nc").readlines(2), StringIO("a\nb\nc").readlines(3)


def case_descriptors():
    fd, path = tempfile.mkstemp(suffix=".txt")
    os.close(fd)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    written = os.write(fd, b"abcdef")
    os.close(fd)
    fd = os.open(path, os.O_RDONLY)
    parts = [os.read(fd, 2), os.read(fd, 10), os.read(fd, 1), os.fstat(fd).st_size]
    os.close(fd)
    with os.fdopen(os.open(path, os.O_RDWR), "r+", encoding="utf-8") as f:
        text = f.read()
        f.write("é")
    try:
        os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    except FileExistsError as e:
        refused = e.errno
    size = os.stat(path).st_size
    os.remove(path)
    return [written, parts, text, refused, size]


len(shutil.get_terminal_size()), shutil.get_terminal_size((10, 5)).columns > 0
tempfile.gettempdirb() == os.fsencode(tempfile.gettempdir()), tempfile.gettempprefixb()


def case_errors_of_threads_go_to_the_hook():
    seen = []

    def fail():
        raise ValueError("in a thread")

    kept, threading.excepthook = threading.excepthook, lambda args: seen.append((args.exc_type.__name__, str(args.exc_value), args.thread.name))
    thread = threading.Thread(target=fail, name="worker")
    thread.start()
    thread.join()
    threading.excepthook = kept
    return seen


def case_barriers_and_conditions_of_tasks():
    async def meet():
        barrier = asyncio.Barrier(2)
        places = sorted(await asyncio.gather(barrier.wait(), barrier.wait()))
        condition = asyncio.Condition()
        ready = []

        async def fill():
            for n in range(3):
                async with condition:
                    ready.append(n)
                    condition.notify_all()
                await asyncio.sleep(0)

        task = asyncio.create_task(fill())
        async with condition:
            found = await condition.wait_for(lambda: len(ready) == 3)
        await task
        waiting = asyncio.create_task(barrier.wait())
        await asyncio.sleep(0)
        counted = barrier.n_waiting
        await barrier.abort()
        try:
            await waiting
        except asyncio.BrokenBarrierError as e:
            broken = type(e).__name__
        return [places, found, ready, counted, broken, barrier.broken, barrier.parties]

    return asyncio.run(meet())
