import { commonFiles } from './common.ts';
import type { Template } from './template.ts';

export const typescript: Template = {
  name: 'typescript',
  about: 'the to-do list in TypeScript, with types and tests',
  files: ({ name }) => ({
    ...commonFiles(name, 'A to-do list in TypeScript.', 'app.ts'),
    'app.ts': program,
    'tests.ts': tests,
    'package.json': `${JSON.stringify(
      {
        name: name.toLowerCase(),
        version: '0.1.0',
        private: true,
        type: 'module',
        scripts: { start: 'svc start', check: 'svc check', test: 'svc test' },
        dependencies: { esbuild: '^0.28.2' },
        devDependencies: { typescript: '^5.9.0' },
      },
      null,
      2,
    )}\n`,
    'tsconfig.json': tsconfig,
    'README.md': readme(name),
  }),
};

const program = `/** A to-do list. Every user's tasks hang off their own root. */
import { bool, connect, entry, has, HTTPError, Node, node, outgoing, Root, str, Walker, walker } from 'svc-scale';

@node
export class Task extends has(Node, { title: str(), done: bool(false) }) {}

/** Anyone may call this one: POST /walker/Hello. */
@walker({ access: 'pub' })
export class Hello extends has(Walker<string>, { name: str('world') }) {
  @entry(Root)
  greet() {
    this.report(\`Hello, \${this.name}!\`);
  }
}

/** Adds a task to the caller's list. */
@walker
export class AddTask extends has(Walker<Task>, { title: str() }) {
  @entry(Root)
  async add(here: Root) {
    if (this.title === '') throw new HTTPError(422, 'EMPTY_TITLE', 'A task needs a title.');
    this.report(await connect(here, new Task({ title: this.title })));
  }
}

/** Reports the caller's tasks, one report each. */
@walker
export class ListTasks extends has(Walker<Task>, {}) {
  @entry(Root)
  start(here: Root) {
    return this.visit(outgoing(here, Task));
  }

  @entry(Task)
  show(here: Task) {
    this.report(here);
  }
}

/** Marks a task as done: POST /walker/FinishTask/{id of the task}. */
@walker
export class FinishTask extends has(Walker<Task>, {}) {
  @entry(Task)
  finish(here: Task) {
    here.done = true;
    this.report(here);
  }
}
`;

const tests = `import { spawn, test } from 'svc-scale';
import { AddTask, FinishTask, Hello, ListTasks } from './app.ts';

test('a task is added, listed and finished', async () => {
  const [task] = (await spawn(new AddTask({ title: 'buy milk' }))).reports;
  await spawn(new FinishTask(), task);
  const listed = (await spawn(new ListTasks())).reports.map(({ title, done }) => [title, done]);
  if (JSON.stringify(listed) !== '[["buy milk",true]]') throw new Error(\`listed: \${JSON.stringify(listed)}\`);
});

test('greets', async () => {
  const { reports } = await spawn(new Hello({ name: 'Ada' }));
  if (reports[0] !== 'Hello, Ada!') throw new Error(reports.join());
});
`;

const tsconfig = `{
  "compilerOptions": {
    "target": "es2023",
    "module": "esnext",
    "moduleResolution": "bundler",
    "strict": true,
    "noEmit": true,
    "skipLibCheck": true,
    "allowImportingTsExtensions": true,
    "rootDirs": [".", ".svc/types"]
  }
}
`;

const readme = (name: string) => `# ${name}

\`\`\`sh
npm install          # the compiler, and TypeScript for \`svc check\` and the editor
svc check            # types, and everything else that can be wrong
svc test             # runs tests.ts
svc start            # http://localhost:8000, pages at /docs
\`\`\`

\`\`\`sh
curl -X POST localhost:8000/walker/Hello -H 'Content-Type: application/json' -d '{"name": "Ada"}'

curl -X POST localhost:8000/user/register -H 'Content-Type: application/json' \\
  -d '{"email": "ada@example.com", "password": "correct horse"}'     # answers with a token

curl -X POST localhost:8000/walker/AddTask -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{"title": "buy milk"}'
curl -X POST localhost:8000/walker/ListTasks -H "Authorization: Bearer $TOKEN"
\`\`\`

Data is kept in \`.svc/data/svc.db\`. \`svc start --reload\` picks up changes while you edit. For types in the editor, install the package of \`svc\` here:
\`npm install svc-scale\`.
`;
