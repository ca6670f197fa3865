"""Generator expressions run their items once, wherever they are used up; those that wait too."""
import queue
import threading


def seen(x):
    print("seen", x)
    return x


print(sorted(seen(x) for x in [2, 1]))
numbers = list(seen(x) for x in [3])
print(numbers, sum(seen(x) for x in [4]), max(seen(x) for x in [5, 6]), tuple(seen(x) for x in [7]), set(seen(x) for x in [8]))

jobs = queue.Queue()
for n in (3, 1, 2):
    jobs.put(n)
print(sorted(jobs.get() for _ in range(jobs.qsize())), jobs.empty())
for n in (3, 1, 2):
    jobs.put(n)
taken = (jobs.get() for _ in range(2))
for n in taken:
    print("taken", n)


def rest():
    return list(jobs.get() for _ in range(jobs.qsize()))


print(rest())

ready = threading.Condition()
items = []


def consume():
    with ready:
        ready.wait_for(lambda: items)
        print("got", items.pop())


consumer = threading.Thread(target=consume)
consumer.start()
with ready:
    items.append("item")
    ready.notify()
consumer.join()

left = [1.0, 2.0]
print(left, left.pop(), {"left": left}, left.clear())
