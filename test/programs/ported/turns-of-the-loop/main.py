"""Who waits goes on in a later turn of the loop; awaitables of classes; async generators that are closed; ends of programs."""

import asyncio
import atexit


class Doubled:
    def __init__(self, value):
        self.value = value

    async def compute(self):
        await asyncio.sleep(0)
        return self.value * 2

    def __await__(self):
        return self.compute().__await__()


async def failing():
    raise ValueError("no")


class Several:
    def __await__(self):
        total = yield from Doubled(1).__await__()
        try:
            yield from failing().__await__()
        except ValueError as error:
            print("caught", error)
            total += 10
        future = asyncio.get_running_loop().create_future()
        future.set_result(5)
        return total + (yield from future)


class Pause:
    def __await__(self):
        yield
        return "paused"


async def counting(n):
    try:
        for i in range(n):
            yield i
    finally:
        print("counted")


async def guarded():
    try:
        yield 1
    except GeneratorExit:
        print("asked to end")
        raise
    finally:
        await asyncio.sleep(0)
        print("ended")


async def stubborn():
    try:
        yield 1
    except GeneratorExit:
        yield 2


async def echoing():
    received = None
    while True:
        received = yield ("got", received)


async def queues():
    queue = asyncio.Queue(maxsize=2)

    async def produce():
        for i in range(5):
            await queue.put(i)
            print("put", i)
        await queue.put(None)

    async def consume():
        while (item := await queue.get()) is not None:
            print("took", item)
            queue.task_done()
        queue.task_done()

    await asyncio.gather(produce(), consume())


async def cancelled():
    async def worker(n):
        try:
            await asyncio.sleep(1)
        except asyncio.CancelledError:
            print("cancelled", n)
            raise
        finally:
            print("left", n)

    tasks = [asyncio.create_task(worker(n)) for n in range(3)]
    await asyncio.sleep(0.001)
    for task in reversed(tasks):
        task.cancel()
    print("asked")
    print(await asyncio.gather(*tasks, return_exceptions=True))


async def futures():
    loop = asyncio.get_running_loop()
    future = loop.create_future()

    async def waiter(name):
        print(name, await future)

    waiters = [asyncio.create_task(waiter(name)) for name in "ab"]
    await asyncio.sleep(0)
    future.add_done_callback(lambda done: print("called back", done.result()))
    future.set_result("ready")
    print("set")
    await asyncio.gather(*waiters)
    print(await future)


async def generators():
    numbers = counting(3)
    print(await anext(numbers))
    await numbers.aclose()
    try:
        await anext(numbers)
    except StopAsyncIteration as error:
        print(repr(error))
    print(await anext(numbers, "nothing"))
    one = guarded()
    await anext(one)
    await one.aclose()
    other = stubborn()
    await anext(other)
    try:
        await other.aclose()
    except RuntimeError as error:
        print(error)
    echo = echoing()
    print(await echo.asend(None), await echo.asend(5))
    try:
        await echoing().asend(5)
    except TypeError as error:
        print(error)
    try:
        await anext(5)
    except TypeError as error:
        print(error)


class Steps:
    def __init__(self):
        self.n = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.n += 1
        if self.n > 2:
            raise StopIteration("all")
        return self.n


class Asked:
    def __iter__(self):
        answer = yield "question"
        return answer


def delegating():
    print((yield from Steps()))
    print((yield from Asked()))
    print((yield from [3]))


async def main():
    print(await Doubled(3), await Several(), await Pause())
    print(await asyncio.gather(Doubled(1), Doubled(2)))
    await queues()
    await cancelled()
    await futures()
    await generators()


def farewell(word, end="."):
    print(word + end)


atexit.register(farewell, "first in, last out")
forgotten = atexit.register(lambda: print("never"))
atexit.register(farewell, "bye", end="!")
atexit.unregister(forgotten)

if __name__ == "__main__":
    asyncio.run(main())
    steps = delegating()
    print(next(steps), next(steps), next(steps), steps.send("answer"), list(steps))
    for wrong in (5, main):
        try:
            asyncio.run(wrong)
        except ValueError as error:
            print(str(error).split(" at ")[0])
