import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { samplePrograms } from '../1-parse/sample-programs.ts';
import { formatSource, layoutWidth } from './format.ts';
import { format, meansTheSame, partsOf, problemWith, randomNumbers, withOtherBlanks } from './testing.ts';

const root = resolve(import.meta.dirname, '../..');

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return entry.name === 'node_modules' || entry.name.startsWith('.') ? [] : sourcesBelow(path);
    return entry.name.endsWith('.svc') ? [path] : [];
  });
}

/** Every program of the repository and the sample programs of the parser, which use every production of the grammar. */
const programs = [
  ...sourcesBelow(root).map((path) => ({ name: relative(root, path), text: readFileSync(path, 'utf8') })),
  ...samplePrograms,
].filter(
  ({ name }) =>
    !/^test\/programs\/(errors\/syntax\/main|modules\/mistakes\/main|modules\/one-mistake-each\/.*)\.svc$/.test(name),
);

test('there are programs of all kinds to lay out', () => {
  expect(programs.length).toBeGreaterThan(110);
  expect(programs.some(({ text }) => /return\s*\(?\s*<div/.test(text))).toBe(true);
});

test.each(programs)('layout keeps the meaning, tokens and comments, and is stable: $name', ({ text }) => {
  expect(problemWith(text)).toBeUndefined();
});

test('white space and comments anywhere change neither meaning nor stability', () => {
  let tried = 0;
  let refused = 0;
  const problems: string[] = [];
  for (const [n, { name, text }] of programs.entries()) {
    for (const [round, commentRate] of [0, 4].entries()) {
      const mutated = withOtherBlanks(text, randomNumbers(n * 2 + round + 1), commentRate);
      // Nothing is claimed about a text in which the other white space has a meaning.
      if (!meansTheSame(text, mutated)) {
        refused++;
        continue;
      }
      tried++;
      const problem = problemWith(mutated);
      if (problem !== undefined) problems.push(`${name}, round ${round}: ${problem}`);
    }
  }
  expect(problems).toEqual([]);
  expect(tried).toBeGreaterThan(refused * 10);
}, 120_000);

test('texts that differ in white space within lines only get one layout', () => {
  const text = 'def f(a:int,b:str="x")->int{\n  return a+1 ;\n}\nwith entry{\n  print( f( 1 ) , [ 1,2 ] );\n}\n';
  const wide = text.replace(/([(){}[\],;+=])/g, ' $1 ').replaceAll('\n', '\n\t  ');
  expect(format(wide)).toBe(format(text));
  expect(format(text)).toBe(
    'def f(a: int, b: str = "x") -> int {\n    return a + 1;\n}\n\nwith entry {\n    print(f(1), [1, 2]);\n}\n',
  );
});

/** Each is its own layout; what stands for it in another form is laid out to it. */
const layouts: readonly (readonly [name: string, text: string, other?: string | undefined])[] = [
  ['an empty file', ''],
  ['a file of comments', '# one\n\n# two\n', '\n\n# one  \n\n\n\n# two'],
  [
    'short blocks of the author stay on their line',
    'def f(x: int) -> int { return x; }\n',
    'def f(x:int)->int{return x;}',
  ],
  [
    'longer ones do not',
    'def f {\n    if a { b(); } else { c(); }\n    if a {\n        b();\n    } else {\n        c();\n    }\n}\n',
    'def f { if a { b(); } else { c(); }\n if a { b(); }\n else { c(); } }',
  ],
  ['three statements are a line each', 'def f {\n    a();\n    b();\n    c();\n}\n', 'def f { a(); b(); c(); }'],
  [
    'a block does not go on where a broken head ends',
    `def f {
    if first_condition_of_several(argument) and second_condition_of_several(argument)
            or third_condition_of_several(argument) {
        stop();
    }
}
`,
    `def f {
    if first_condition_of_several(argument) and second_condition_of_several(argument) or third_condition_of_several(argument) { stop(); }
}`,
  ],
  [
    'one blank line at most, none at the ends of a block',
    'def f {\n    a();\n\n    b();\n}\n',
    '\n\ndef f {\n\n\n    a();\n\n\n\n    b();\n\n}\n\n\n',
  ],
  [
    'a blank line around long declarations and behind imports',
    'import os;\n\nglob a = 1;\nglob b = 2;\n\ndef f {\n    g(1);\n}\n\n# about h\ndef h { i(); }\n',
    'import os;\nglob a = 1;\nglob b = 2;\ndef f {\n    g(1);\n}\n# about h\ndef h { i(); }\n',
  ],
  [
    'dots that stand for a body',
    'class A(B, total=False) {\n    """What it is."""\n    ...;\n}\n\nobj C {\n    has x: int;\n    ...;\n    has y: any = ...;\n    ...\n}\n\nclass D { ...; }\n',
    'class A(B, total = False) { """What it is."""\n ...; }\nobj C { has x: int; ...; has y: any = ...;\n ... } class D { ...; }',
  ],
  [
    'a text that stands alone in a class',
    'obj A {\n    """What it is.""";\n    has x: int;\n    "more";\n}\n',
    'obj A {\n"""What it is."""; has x: int; "more"; }',
  ],
  ['hyphens in names of packages', 'import from date-fns { format }\nimport a-b.c as d;\n'],
  [
    'comments',
    `# first
import os;  # with it

#* a block
      kept as it is *#
def f(
    a: int,  # of a
    # of b
    b: int
) -> int {
    # before
    x = [
        1,  # one
        2
        # last
    ];  # behind

    # alone
}

# the end
`,
    `# first
import os; # with it
#* a block
      kept as it is *#
def f(a: int, # of a
   # of b
b: int) -> int {
# before
x = [1, # one
2
# last
]; # behind

# alone
}

# the end`,
  ],
  [
    'a block comment before a token goes where it goes',
    'glob a = f(#* one *# 1, #* two *# 2);\nglob b = {\n    #* three *# "x": 1\n};\n',
    'glob a = f(\n#* one *# 1,\n#* two *# 2);\nglob b = {\n#* three *# "x": 1};\n',
  ],
  [
    'tokens that would be another one side by side are kept apart',
    'import from . ..m { a }\n\nglob b = 1 .e5 + 1 .real;\nglob c = - -a;\n',
    'import from .  .  .m{a}\n\nglob b=1  .e5+1  .real;\nglob c=-  -a;\n',
  ],
  [
    'an element or parentheses around it end the line of an operator',
    `def:pub App -> any {
    return <main>
        {a_condition_with_a_name and <p className="error" role="alert" id="the_identifier">
            {some_text_that_takes_room}
        </p>}
        {(<Spinner />) if loading else (
            <p className="content" id="the_identifier" title="The title of the paragraph">
                {some_text_that_takes_room}
            </p>
        )}
    </main>;
}
`,
    `def:pub App -> any { return <main>
{a_condition_with_a_name and <p className="error" role="alert" id="the_identifier">{some_text_that_takes_room}</p>}
{(<Spinner/>) if loading else (<p className="content" id="the_identifier" title="The title of the paragraph">{some_text_that_takes_room}</p>)}
</main>; }`,
  ],
  [
    'a comment inside a line',
    'glob a = f(#* first *# 1, 2 #* second *#);\n',
    'glob a = f( #* first *# 1,2   #* second *# );',
  ],
  [
    'a list is broken item by item, never in between',
    `glob names = some_function_name(
    "a first argument that is long",
    "a second argument that is long",
    [1, 2, 3]
);
`,
    'glob names = some_function_name("a first argument that is long", "a second argument that is long", [1, 2, 3]);',
  ],
  [
    'a comma behind the last item keeps it broken',
    'glob names = [\n    1,\n    2,\n];\nglob one = (1,);\n',
    'glob names = [1, 2,];\nglob one = (1 , );',
  ],
  [
    'a dictionary begun on a line of its own stays so',
    'glob a = {\n    "x": 1\n};\nglob b = {"x": 1};\n',
    'glob a = {\n"x": 1};\nglob b = {"x": 1\n};',
  ],
  [
    'a last argument may span lines alone',
    'with entry {\n    useEffect(lambda -> None {\n        a();\n        b();\n        c();\n    }, [x]);\n}\n',
    'with entry { useEffect(lambda -> None { a(); b(); c(); }, [x]); }',
  ],
  [
    'calls in a row',
    `with entry {
    rows = client
        .table("a_table_with_a_name")
        .select("identifier, name, colour")
        .filter(lambda r: dict : r["ok"])
        .execute();
}
`,
    `with entry {
    rows = client.table("a_table_with_a_name").select("identifier, name, colour").filter(lambda r: dict : r["ok"]).execute();
}`,
  ],
  [
    'graph operators',
    `with entry {
    a +>: Road : km=5, toll=True :+> b <++> c;
    xs = [edge a ->:Road:km > 5:-> b] + [root --> <--[?:Town, size >= 3] -->(\`?Village)];
    a del ->:Road:-> b;
    visit :0: [-->] else { disengage; }
}
`,
    `with entry {
    a+>:Road:km=5,toll=True:+>b<++>c;
    xs = [ edge a->: Road : km>5 :->b ]+[root --><-- [ ? : Town , size>=3 ]-->( \`? Village )];
    a del->:Road:->b;
    visit:0:[-->] else { disengage; }
}`,
  ],
  [
    'operators and literals',
    'with entry {\n    x = -a ** 2 - -b + (c if d else e)[1:, ::-1];\n    f(*xs, k=lambda y: y, **o);\n    x = "a" "b";\n}\n',
    'with entry {\n    x = - a**2--b+( c if d else e )[ 1 : , : : -1 ];\n    f( * xs,k = lambda y : y,** o);\n    x = "a"   "b";\n}',
  ],
  [
    'old spellings stay',
    'walker w {\n    can start with `root entry {\n        take x;\n    }\n}\n'.replace(
      'take x;',
      'if a && b { check c; }',
    ),
    'walker w { can start with `root entry { if a&&b{ check c; } } }',
  ],
  [
    'cases',
    `with entry {
    match x {
        case 1 | 2: a();
        case {"k": v, **r} if v:
            a();
            b();
            c();
        case P(x=1, y=_): { d(); }
    }
}
`,
    `with entry {
    match x { case 1|2: a();
      case {"k":v,** r} if v: a(); b(); c();
      case P(x = 1,y = _): { d(); } }
}`,
  ],
  [
    'markup',
    `def:pub App -> any {
    return <div className="app">
        # a comment
        <Item
            key={item.identifier}
            title="a title that takes some room"
            onDone={lambda -> None { finish(item); }}
        />
        <p>Hello {name}, <b>you</b>!  Two blanks stay.</p>
        {[<li key={i}>{i}</li> for i in items]}
        {isOpen and (
            <section>
                {#* nothing yet *#}
            </section>
        )}
    </div>;
}
`,
    `def:pub App -> any { return <div
     className = "app">
  # a comment
  <Item key={ item.identifier } title="a title that takes some room" onDone={lambda -> None { finish(item); }}/>
  <p>Hello { name }, <b >you</b >!  Two blanks stay.</p>
{[<li key={i}>{i}</li> for i in items]}

  {isOpen and (<section>
  {#* nothing yet *#}
</section>)}</div>; }`.replace('\n\n', '\n'),
  ],
  [
    'text of markup is filled, blanks with a meaning are not',
    `def:pub App -> any {
    return <p>
        A text that is so long that it has to be broken somewhere, which may be done at each of its
        single blanks <b>but</b> <i>not</i> between elements
    </p>;
}
`,
    'def:pub App -> any { return <p>A text that is so long that it has to be broken somewhere, which may be done at each of its single blanks <b>but</b> <i>not</i> between elements</p>; }',
  ],
];

test.each(layouts.map(([name, text, other]) => ({ name, text, other })))('$name', ({ text, other }) => {
  expect(format(text)).toBe(text);
  if (other !== undefined) expect(format(other)).toBe(text);
});

test('what the documentation shows is laid out as it says', () => {
  const page = readFileSync(join(root, 'docs/format.md'), 'utf8');
  const shown = [...page.matchAll(/^( *)```svc\n([\s\S]*?)^ *```/gm)].map(([, indent = '', text = '']) =>
    text.replace(new RegExp(`^${indent}`, 'gm'), ''),
  );
  expect(shown).toHaveLength(3);
  for (const text of shown) expect(format(text)).toBe(text);
});

test('an argument that had no room in its line is not put back into it once it is broken', () => {
  const text = `def f -> str {\n    return dumps({"owner": self.owner, "balance": str(self.balance), "opened": self.opened.iso(), "n": 1}, sort=True);\n}\n`;
  expect(problemWith(text)).toBeUndefined();
});

test('a last argument that was broken does not pull the others back into its line', () => {
  const orders = 'Order.make(Side.SELL, 10, 5.0), Order.make(Side.SELL, 5, 4.5), Order.make(Side.BUY, 12, 5.25)';
  expect(problemWith(`with entry {\n    t = Trader("ABC", [${orders}]);\n}\n`)).toBeUndefined();
});

test('line ends and a byte order mark stay what they were', () => {
  expect(format('\ufeffglob a=1;\r\nglob b=2;\r\n')).toBe('\ufeffglob a = 1;\r\nglob b = 2;\r\n');
});

test('strings, formatted strings and foreign code stay to the letter', () => {
  const pieces = ["'it\\'s'", '"""a\n   b  """', 'f"{ x + 1 :>{ w }} {y=}"', 'rb"\\x"'];
  const text = `glob a = [${pieces.join(',')}];\n`;
  for (const piece of pieces) expect(format(text)).toContain(piece);
  const foreign = '::py::\n  import  os\n::py::';
  expect(format(`${foreign}\nglob a=1;`)).toBe(`${foreign}\nglob a = 1;\n`);
});

test('lines are no longer than the width, but for what cannot be broken', () => {
  for (const { text } of programs) {
    const literals = new Set(partsOf(text).filter((part) => part.length > 40));
    const tooLong = format(text)
      .split('\n')
      .filter(
        (line) =>
          line.length > layoutWidth && ![...literals].some((part) => part.includes(line.trim()) || line.includes(part)),
      )
      // A comment behind a line does not count, nor does what stands in one string over several lines.
      .filter((line) => !line.includes('  # ') && !/^\s*\} \{|"""/.test(line));
    expect(tooLong).toEqual([]);
  }
});

test('a text with syntax errors has no layout, and no comment hides that', () => {
  const result = formatSource({ path: 'a.svc', text: 'def f( {  # svc:ignore\n' });
  expect(result).toMatchObject({ kind: 'broken', diagnostics: expect.arrayContaining([expect.anything()]) });
});

const wide = [
  `print(cur.execute('select * from items where name = :name and size > :size order by name', {"name": "a long enough name", "size": 12345, "another": "value"}).fetchall());`,
  'print(list(matched([("a", 1, 2, 3), ("b", 4, 5, 6), ("c", 7, 8, 9)])));',
  'print((lambda x: int -> int { return x + 1; })(1), kinds(*[1, 2, 3, 4], **{"d": 5, "k": 6}));',
  'print(kinds(*[1, 2, 3, 4], **{"d": 5, "k": 6}));',
  'x = [c.__name__ for c in Duck.__mro__ if c.__name__ in ["Duck", "Bird", "Swimmer", "Animal"]];',
];

test.each(wide)('%s is laid out the same again, however far it stands in', (statement) => {
  for (let depth = 0; depth < 25; depth += 1)
    expect(
      problemWith(`with entry { ${'if a { '.repeat(depth)}${statement}${' }'.repeat(depth)} }\n`),
      `${depth}`,
    ).toBeUndefined();
});

test('a chain of thousands of operators is laid out', () => {
  const text = `with entry {\n    x = ${Array(3000).fill('a').join(' + ')};\n}\n`;
  expect(format(text).split('\n')).toHaveLength(3003);
});

test('a mistake in here is a diagnostic, and the text stays as it is', () => {
  let reads = 0;
  const source = {
    path: 'a.svc',
    get text(): string {
      reads += 1;
      if (reads === 2) throw new TypeError('a case that was forgotten');
      return 'glob x = 1;\n';
    },
  };
  const result = formatSource(source);
  expect(result).toMatchObject({
    kind: 'broken',
    diagnostics: [{ code: 'E0999', help: 'a case that was forgotten' }],
  });
});
