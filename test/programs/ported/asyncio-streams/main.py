import asyncio
async def main():
    for host, port in [("127.0.0.1", 1)]:
        try:
            await asyncio.open_connection(host, port)
        except ConnectionRefusedError as e:
            print(type(e).__name__, e, e.errno)
    async def echo(reader, writer):
        addr = writer.get_extra_info("peername")
        print("peer", addr[0])
        while data := await reader.readline():
            writer.write(b"got " + data)
            await writer.drain()
        print("client gone", reader.at_eof())
        writer.close()
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    async with server:
        reader, writer = await asyncio.open_connection(host, port)
        for line in ["one", "two"]:
            writer.write(f"{line}\n".encode())
            await writer.drain()
            print((await reader.readline()).decode().strip())
        writer.writelines([b"a", b"bc\n"])
        print(await reader.readexactly(4), await reader.readuntil(b"c"))
        try:
            writer.write_eof()
            print(await reader.readexactly(50))
        except asyncio.IncompleteReadError as e:
            print(e, e.partial, e.expected)
        writer.close()
        await writer.wait_closed()
        print(server.is_serving())
    print(server.is_serving())
    proc = await asyncio.create_subprocess_exec("cat", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
    out, err = await proc.communicate(b"x\ny\n")
    print(out, err)
    proc = await asyncio.create_subprocess_shell("echo a; echo b >&2; exit 2", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
    async for line in proc.stdout:
        print(line)
    print(await proc.stderr.read(), await proc.wait())
    try:
        await asyncio.create_subprocess_exec("no-such-program")
    except FileNotFoundError as e:
        print(e)
    proc = await asyncio.create_subprocess_exec("sleep", "5")
    proc.terminate()
    print(await proc.wait(), proc.returncode)
    try:
        await asyncio.wait_for(asyncio.create_subprocess_exec("sleep", "0"), 5)
    except Exception as e:
        print(e)
asyncio.run(main())
