/** Nothing of the server is in what a browser is sent: neither in emitted modules nor in their source maps. */
import { expect, test } from 'vitest';
import { compileProject } from '../../lang/compile.ts';
import { filesInMemory } from '../../lang/project/files.ts';
import { readProject } from '../../lang/project.ts';
import { signatures } from '../../library/signatures/signatures.ts';

interface Sent {
  readonly code: string;
  readonly sources: readonly string[];
  /** Everything of all modules together. */
  readonly all: string;
}

function send(files: Readonly<Record<string, string>>, mode: 'development' | 'production' = 'production'): Sent {
  const project = readProject('main.svc', filesInMemory(files), { root: '.' });
  const wanted = {
    target: 'server',
    graph: 'sync',
    runtime: '#runtime',
    mode: 'serve',
    signatures,
    client: { mode },
  } as const;
  const { client, diagnostics } = compileProject(project, wanted);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const code = client.map(({ output }) => output.code).join('\n');
  const sources = client.flatMap(({ output }) => output.map.sourcesContent);
  return { code, sources, all: code + JSON.stringify(client.map(({ output }) => output.map)) };
}

const mixed = `"""SECRET of the module's docstring"""
# SECRET in a comment
import os;
import from os { environ }
glob literal = "SECRET literal";
glob key = os.environ["SECRET_KEY"];
glob other = environ.get("SECRET_OTHER", "SECRET default");
glob made = read_key();
glob:pub shown = "public";
def read_key -> str { return os.environ["SECRET_MADE"]; }
def uses_key(x: str) -> str { return made + x + "SECRET salt"; }
def deeper(x: str) -> str { return uses_key(x) + "SECRET deeper"; }
enum Env { A = os.environ["SECRET_ENUM"] }
obj Signer {
    """SECRET docstring of a class"""
    has salt: str = "SECRET field default";
    def sign(x: str) -> str { return x + self.salt + key; }
}
/// SECRET outer comment
node Task {
    """SECRET docstring of a node"""
    has title: str, cost: str = "SECRET node default";
    def price -> str { return "SECRET method"; }
}
walker Add {
    """SECRET docstring of a walker"""
    has title: str = "SECRET walker default"; has:priv inner: str = "SECRET private";
    can go with Root entry { report "SECRET report"; }  # SECRET trailing comment
}
@restspec(protocol=APIProtocol.WEBHOOK, verify="github", secret="\${SECRET_HOOK}")
walker Hook { has payload: any = None; can go with Root entry { report 1; } }
def:pub pay(n: int, currency: str = "SECRET currency") -> int { """SECRET docstring of a function"""; return n; }
with entry { print("SECRET entry"); }
def:pub app -> JsxElement {
    """Shows what there is."""
    has text: str = shown;
    async def go -> None {
        # a comment of the client
        r = root spawn Add(title="x");
        text = str(await pay(1)) + await deeper("a");
        print(isinstance(r.reports[0], Task), Signer);
    }
    return <button onClick={go}>{text}</button>;
}
`.replace('/// SECRET outer comment\n', '#* SECRET block\n   comment *#\n');

test.each(['production', 'development'] as const)(
  'a program of both halves keeps what is of the server (%s)',
  (mode) => {
    const { all, code } = send({ 'main.svc': mixed }, mode);
    expect(all.match(/.{0,40}(SECRET|environ).{0,40}/g)).toBeNull();
    expect(code).toContain('"public"');
  },
);

test('the source view shows client code where it stands', () => {
  const { sources } = send({ 'main.svc': mixed });
  const lines = mixed.split('\n');
  const shown = sources[0]!.split('\n');
  expect(shown.map(({ length }) => length)).toEqual(lines.map(({ length }) => length));
  const first = lines.findIndex((line) => line.startsWith('def:pub app'));
  expect(shown.slice(first, first + 10)).toEqual(lines.slice(first, first + 10));
  expect(shown[lines.findIndex((line) => line.startsWith('glob:pub shown'))]).toBe('glob:pub shown = "public";');
});

test('bodies of client functions in an annex are shown, those of server functions are not', () => {
  const { all, sources } = send({
    'main.svc':
      'def:pub total -> int;\ndef:pub app -> JsxElement { has n: int = 0; async def load -> None; return <p onClick={load}>{n}</p>; }\n',
    'main.impl.svc':
      '# SECRET\nimpl total -> int { return len("SECRET"); }\nimpl app.load -> None { n = await total(); }\n',
  });
  expect(all).not.toContain('SECRET');
  expect(sources.join('')).toContain('impl app.load -> None { n = await total(); }');
});

test('a module that only the server imports is not sent', () => {
  const { all } = send({
    'main.svc':
      'import from secrets_of { price, KEY }\ndef:pub app -> JsxElement { return <p>{str(1)}</p>; }\nwalker W { can go with Root entry { report price() + KEY; } }\n',
    'secrets_of.svc': 'glob KEY = "SECRET";\ndef price -> str { return "SECRET"; }\n',
  });
  expect(all).not.toMatch(/SECRET|secrets_of/);
});

test('a variable that the server changes is not copied into the browser', () => {
  const { code } = send({
    'main.svc':
      'glob rates = {"a": "SECRET"};\nwalker W { can go with Root entry { rates["b"] = 1; } }\ndef:pub app -> JsxElement { return <p>{rates["a"]}</p>; }\n',
  });
  expect(code).not.toContain('SECRET');
});

test('text of the client itself is sent', () => {
  const { all } = send({
    'main.svc': 'cl glob word = "of the client";\ncl def app -> JsxElement { return <p>{word}</p>; }\n',
  });
  expect(all).toContain('of the client');
});
