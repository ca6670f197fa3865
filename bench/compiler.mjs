// P17: lines per CPU second of the front end on about 50,000 lines, beside TypeScript 5's parser on text of the same shape.
import ts from 'typescript5';
import { beside, loadSource } from './lib/bundle.mjs';
import { alternate, median, printRows, ratio, rounds, row } from './lib/rounds.mjs';

const project = await loadSource('bench/lib/project.ts');
const other = beside && (await loadSource('bench/lib/project.ts', beside));

/** A module of about `lines` lines: functions, objects, nodes, walkers, in the mix of ordinary programs. */
function svcText(lines) {
  const parts = ['"""Generated for measuring."""\n'];
  for (let i = 0; parts.length * 25 < lines; i++) {
    parts.push(`
def total_${i}(items: list[int], limit: int = ${i}) -> int {
    result = 0;
    for (index, item) in enumerate(items) {
        if item > limit and index % 2 == 0 {
            result += item * 2 - index;
        } elif item in [1, 2, 3] {
            continue;
        } else { result -= 1; }
    }
    return result;
}

node Item${i} {
    has name: str;
    has count: int = ${i};
    has tags: list[str] = [];
}

walker Visit${i} {
    has seen: dict[str, int] = {};

    can start with Root entry { visit [-->[?:Item${i}, count > ${i}]]; }
    can look with Item${i} entry { self.seen[here.name] = self.seen.get(here.name, 0) + 1; report f"{here.name}: {here.count}"; }
}
`);
  }
  return parts.join('');
}

function tsText(lines) {
  const parts = ['// Generated for measuring.\n'];
  for (let i = 0; parts.length * 25 < lines; i++) {
    parts.push(`
export function total_${i}(items: number[], limit: number = ${i}): number {
  let result = 0;
  for (const [index, item] of items.entries()) {
    if (item > limit && index % 2 === 0) {
      result += item * 2 - index;
    } else if ([1, 2, 3].includes(item)) {
      continue;
    } else { result -= 1; }
  }
  return result;
}

export class Item${i} {
  constructor(readonly name: string, public count: number = ${i}, readonly tags: string[] = []) {}
}

export class Visit${i} {
  readonly seen: Map<string, number> = new Map();

  start(here: { links: Item${i}[] }): Item${i}[] {
    return here.links.filter((item) => item.count > ${i});
  }
  look(here: Item${i}): string { this.seen.set(here.name, (this.seen.get(here.name) ?? 0) + 1); return \`\${here.name}: \${here.count}\`; }
}
`);
  }
  return parts.join('');
}

const cpu = () => {
  const used = process.cpuUsage();
  return (used.user + used.system) / 1e6;
};
const countLines = (text) => text.split('\n').length;
const perCpuSecond = (work, text) => () => {
  const before = cpu();
  work(text);
  return countLines(text) / (cpu() - before);
};

const big = svcText(50_000);
const small = svcText(5_000);
const typescript = tsText(50_000);
const compileWith = ({ compileModule, signatures }) => {
  const options = { target: 'server', signatures, graph: 'sync', runtime: 'svc-scale/runtime', mode: 'serve' };
  return (text) => {
    const { modules, diagnostics } = compileModule({ path: 'main.svc', text }, options);
    if (modules.length === 0) throw new Error(diagnostics.map((one) => one.message).join('\n'));
  };
};
const compile = compileWith(project);
const parse = (text) => {
  const source = { path: 'main.svc', text };
  project.parse(source, project.createReporter(source));
};
const parseTs = (text) => ts.createSourceFile('big.ts', text, ts.ScriptTarget.ES2022, false);

const cold = perCpuSecond(compile, big)();
const variants = {
  parse: perCpuSecond(parse, big),
  compile: perCpuSecond(compile, big),
  compileSmall: () => median(Array.from({ length: 5 }, perCpuSecond(compile, small))),
  typescript: perCpuSecond(parseTs, typescript),
  ...(other && { beside: perCpuSecond(compileWith(other), big) }),
};
for (const run of Object.values(variants)) run();
global.gc?.();
const figures = await alternate(variants, Math.min(rounds, 5));
const memory = process.memoryUsage().rss / 2 ** 20;
printRows([
  row('P17', 'parse / TypeScript 5 parse', '>= 1.0', ratio(figures, 'parse', 'typescript'), (x) => x >= 1),
  row(
    'P17',
    'source to emitted code / TypeScript 5 parse',
    '>= 0.5',
    ratio(figures, 'compile', 'typescript'),
    (x) => x >= 0.5,
  ),
  row(
    '',
    'lines per CPU second warm, 50,000 lines / 5,000 lines (flat per line)',
    '>= 0.8',
    ratio(figures, 'compile', 'compileSmall'),
    (x) => x >= 0.8,
  ),
  ...(other
    ? [
        row(
          'P17',
          'source to emitted code / checkout beside',
          '>= 0.97',
          ratio(figures, 'compile', 'beside'),
          (x) => x >= 0.97,
        ),
      ]
    : []),
]);
console.log(
  `\nSource to code: ${(median(figures.compile) / 1e3).toFixed(0)}k lines per CPU second warm (goal 100k), ${(cold / 1e3).toFixed(0)}k cold; resident memory after it ${memory.toFixed(0)} MiB.`,
);
