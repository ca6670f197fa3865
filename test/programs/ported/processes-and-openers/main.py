"""The same program in Python."""
import subprocess
import time
import urllib.request
from subprocess import PIPE, STDOUT, Popen
from urllib.error import URLError


def shell(script, **options):
    return Popen(["sh", "-c", script], text=True, stdout=PIPE, **options)


def lines_of(process):
    found = []
    while True:
        line = process.stdout.readline()
        if not line:
            break
        found.append(line.strip())
    return found


class Filter:
    def __init__(self, command):
        self.process = Popen(command, stdin=PIPE, stdout=PIPE, text=True)

    def ask(self, question):
        self.process.stdin.write(question + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().rstrip()

    def close(self):
        self.process.stdin.close()
        return self.process.wait(timeout=5)


def reach(url, timeout=5):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    opener.addheaders = [("User-Agent", "twin")]
    try:
        with opener.open(url, timeout=timeout) as response:
            return response.read().decode()
    except URLError as e:
        return f"{type(e).__name__}: {e.reason}"


process = shell("echo one; sleep 0.05; echo two; echo wrong >&2", stderr=PIPE)
print(lines_of(process), process.stderr.read(), process.wait())
print(shell("echo a; echo b >&2", stderr=STDOUT).stdout.readlines())
print([line.rstrip() for line in shell("echo x; sleep 0.05; echo y").stdout])

with shell("echo p; echo q; exit 4") as inner:
    for i, line in enumerate(inner.stdout):
        print(i, line, end="")
    print(inner.returncode)
print(inner.returncode)

with shell("printf 'k\\nl\\n'") as inner:
    with inner.stdout:
        for line in iter(inner.stdout.readline, ""):
            print(repr(line))
    print(inner.stdout.closed, inner.stdout.readable() if not inner.stdout.closed else "closed")

echo = Filter(["cat"])
print(echo.ask("first"), echo.ask("second"), echo.close())

with Popen(["sort"], stdin=PIPE, stdout=PIPE) as sorter:
    with sorter.stdin as pipe:
        pipe.writelines([b"pear\n", b"apple\n"])
    print(sorter.stdout.read(), sorter.stdin.closed)

late = Popen(["sh", "-c", "exit 3"])
time.sleep(0.3)
print(late.returncode, late.poll(), late.returncode)

print(reach("http://127.0.0.1:9/"))
print(reach("data:text/plain,hello%20there"))
print(reach("nowhere:x"))
