import asyncio
async def t(c):
    try:
        print(await c)
    except BaseException as e:
        print(type(e).__name__, e)
async def w(n, d=0.001, fail=False):
    await asyncio.sleep(d)
    if fail:
        raise ValueError(f"bad {n}")
    return n
async def main():
    print(await asyncio.gather(w(1), w(2), w(3)))
    r = await asyncio.gather(w(1), w(2, fail=True), return_exceptions=True)
    print(r)
    await t(asyncio.gather(w(1), w(2, fail=True)))
    await t(asyncio.wait_for(w(1, 1), 0.01))
    await t(asyncio.wait_for(w(1), 1))
    async with asyncio.TaskGroup() as tg:
        a = tg.create_task(w("a"))
        b = tg.create_task(w("b"), name="bee")
    print(a.result(), b.result(), b.get_name(), a.done())
    try:
        async with asyncio.TaskGroup() as tg:
            tg.create_task(w("x", fail=True))
            tg.create_task(w("y", 5))
    except ExceptionGroup as eg:
        print(eg, eg.exceptions)
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(1)
    except TimeoutError as e:
        print("timeout", repr(e))
    async with asyncio.timeout(1) as cm:
        await asyncio.sleep(0)
    print(cm.expired())
    sem = asyncio.Semaphore(2)
    active = 0
    peak = 0
    async def limited(i):
        nonlocal active, peak
        async with sem:
            active += 1
            peak = max(peak, active)
            await asyncio.sleep(0.001)
            active -= 1
        return i
    print(await asyncio.gather(*(limited(i) for i in range(5))), peak, sem.locked())
    ev = asyncio.Event()
    async def waiter():
        await ev.wait()
        return "woke"
    task = asyncio.create_task(waiter())
    await asyncio.sleep(0)
    print(ev.is_set(), task.done())
    ev.set()
    print(await task, ev.is_set())
    cond = asyncio.Condition()
    items = []
    async def consumer():
        async with cond:
            await cond.wait_for(lambda: len(items) > 0)
            return items.pop()
    c = asyncio.create_task(consumer())
    await asyncio.sleep(0.001)
    async with cond:
        items.append("thing")
        cond.notify_all()
    print(await c)
    for fut in asyncio.as_completed([w("slow", 0.03), w("fast", 0.001), w("mid", 0.015)]):
        print(await fut)
    inner = asyncio.create_task(w("shielded", 0.02))
    try:
        await asyncio.wait_for(asyncio.shield(inner), 0.001)
    except asyncio.TimeoutError:
        print("outer timed out", inner.cancelled())
    print(await inner)
    def block(x, y=1):
        return x + y
    print(await asyncio.to_thread(block, 2, y=3))
    loop = asyncio.get_running_loop()
    print(await loop.run_in_executor(None, block, 5))
    fut = loop.create_future()
    loop.call_soon(fut.set_result, "soon")
    print(await fut, fut.done(), fut.result())
    f2 = loop.create_future()
    f2.set_exception(KeyError("k"))
    await t(f2)
    f3 = loop.create_future()
    try:
        f3.result()
    except asyncio.InvalidStateError as e:
        print("invalid", e)
    loop.call_later(0.001, f3.set_result, 1)
    print(await f3)
    task = asyncio.create_task(w("c", 1))
    await asyncio.sleep(0)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError as e:
        print("cancelled", repr(e), task.cancelled())
    async def cleanup():
        try:
            await asyncio.sleep(1)
        except asyncio.CancelledError:
            print("cleaning")
            raise
        finally:
            print("finally")
    task = asyncio.create_task(cleanup(), name="T")
    await asyncio.sleep(0)
    task.cancel("why")
    await t(task)
    done, pending = await asyncio.wait([asyncio.create_task(w(1)), asyncio.create_task(w(2, 1))], return_when=asyncio.FIRST_COMPLETED)
    print(len(done), len(pending), {d.result() for d in done})
    for p in pending:
        p.cancel()
    done, pending = await asyncio.wait([asyncio.create_task(w(1)), asyncio.create_task(w(2))], timeout=1)
    print(len(done), len(pending))
    q = asyncio.Queue(maxsize=2)
    async def producer():
        for i in range(4):
            await q.put(i)
        await q.put(None)
    async def cons():
        got = []
        while (x := await q.get()) is not None:
            got.append(x)
            q.task_done()
        q.task_done()
        return got
    _, got = await asyncio.gather(producer(), cons())
    await q.join()
    print(got, q.empty(), q.full(), q.qsize(), q.maxsize)
    try:
        q.get_nowait()
    except asyncio.QueueEmpty as e:
        print("empty", repr(e))
    q.put_nowait(1)
    q.put_nowait(2)
    try:
        q.put_nowait(3)
    except asyncio.QueueFull as e:
        print("full", repr(e))
    pq = asyncio.PriorityQueue()
    for x in [(3, "c"), (1, "a"), (2, "b")]:
        pq.put_nowait(x)
    print([pq.get_nowait() for _ in range(3)])
    lq = asyncio.LifoQueue()
    for x in range(3):
        await lq.put(x)
    print([await lq.get() for _ in range(3)])
    lock = asyncio.Lock()
    async with lock:
        print(lock.locked())
    print(lock.locked())
    try:
        lock.release()
    except RuntimeError as e:
        print(e)
    b = asyncio.BoundedSemaphore(1)
    try:
        b.release()
    except ValueError as e:
        print(e)
    bar = asyncio.Barrier(2)
    async def party(n):
        await bar.wait()
        return n
    print(await asyncio.gather(party(1), party(2)))
    async def agen():
        for i in range(3):
            yield i
            await asyncio.sleep(0)
    print([x async for x in agen()])
    print(asyncio.current_task().get_name(), len(asyncio.all_tasks()) >= 1)
    calls = []
    task = asyncio.create_task(w("cb"))
    task.add_done_callback(lambda t: calls.append(t.result()))
    await task
    await asyncio.sleep(0)
    print(calls, task.exception())
    tt = asyncio.create_task(w("e", fail=True))
    await asyncio.wait([tt])
    print(repr(tt.exception()))
    print(asyncio.iscoroutinefunction(w), asyncio.iscoroutine(3), asyncio.isfuture(fut))
    async with asyncio.timeout(None):
        pass
    async with asyncio.timeout_at(loop.time() + 1):
        await asyncio.sleep(0)
    try:
        async with asyncio.TaskGroup() as tg:
            tg.create_task(w("x", 5))
            raise KeyError("body")
    except ExceptionGroup as eg:
        print(eg, eg.exceptions)
    f = asyncio.ensure_future(w("ens"))
    print(await f)
    return "end"
loop0 = asyncio.new_event_loop()
loop0.call_later(0.01, loop0.stop)
loop0.run_forever()
print(asyncio.run(main()))
async def one():
    return asyncio.get_running_loop() is not None
with asyncio.Runner() as runner:
    print(runner.run(one()), runner.run(w(4)))
loop = asyncio.new_event_loop()
print(loop.run_until_complete(w(9)), loop.is_running(), loop.is_closed())
loop.close()
print(loop.is_closed())
