/** Objects where the host compiles no text: what a program prints is the same. */
import { expect, test } from 'vitest';
import { runSvc } from '../../test/harness/server.ts';
import { folderWith } from '../../test/harness/svc-process.ts';

const program = `
import asyncio;

glob made: list[str] = [];

def count -> int { made.append("default"); return len(made); }
async def late -> str { await asyncio.sleep(0.001); return "late"; }

obj Point { has x: int, y: float = 2.0, tags: list[str] = []; }
obj Circle(Point) { has r: float by postinit; def postinit { self.r = self.x * 1.5; } }
obj Handed { has a: int, n: int = count(); def init(a: int, b: str = "b") { self.a = a; print("init", a, b, self.n); } }
obj Waits { has text: str = await late(), after: str = "x"; async def postinit { await asyncio.sleep(0.001); self.after += self.text; } }
class Plain { def init(self, size: int = 3) { self.size = size; } }
node Note { has text: str, done: bool = False, weight: float = 1, words: list[str] = []; }
edge Near { has far: float = 0.0; }
walker Read {
    has limit: int = 10, reports: int = 7;
    can read with Note entry { print(here.text, here.done, here.weight, here.words, self.limit, self.reports); visit [->:Near:->]; }
}

with entry {
    p = Point(1, tags=["a"]);
    print(p, Point(2), Circle(4).r, Circle(x=4, y=1.0) == Circle(x=4, y=1.0));
    Handed(1); Handed(2, "c");
    w = await Waits();
    print(w.text, w.after, Plain().size, Plain(5).size);
    for wrong in [lambda { Point(); }, lambda { Point(1, 2.0, [], 4); }, lambda { Point(x=1, z=2); }, lambda { Note(); }] {
        try { wrong(); } except TypeError as e { print(e); }
    }
    first = Note("one", words=["w"]);
    root ++> first;
    first +>: Near(far=2) :+> Note(text="two", weight=3);
    first.words.append("more");
    first.done = True;
    first spawn Read();
    print([x.far for x in [edge first ->:Near:->]]);
}
`;

test('constructors, defaults, accessors and walkers', async () => {
  using folder = folderWith({ 'main.svc': program });
  const run = (env: Record<string, string>) => runSvc(['run', '--no-persist', 'main.svc'], { cwd: folder.path, env });
  const usual = await run({});
  expect(usual).toMatchObject({ code: 0, stdout: expect.stringContaining('xlate') });
  const plain = await run({ NODE_OPTIONS: '--disallow-code-generation-from-strings' });
  expect(plain).toEqual(usual);
});
