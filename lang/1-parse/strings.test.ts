import { expect, test } from 'vitest';
import { codes, expression, parseText } from './parse-for-tests.ts';

test.each([
  ['"a"', '"a"'],
  ["'a\"b'", '"a\\"b"'],
  ['"""a\n"b" c"""', '"a\\n\\"b\\" c"'],
  ["'''a'''", '"a"'],
  ['"""a\r\nb\rc"""', '"a\\nb\\nc"'],
  ['"a" \'b\' """c"""', '"abc"'],
  [String.raw`"\n\r\t\b\f\v\a\\\'\""`, String.raw`"\n\r\t\b\f\u000b\u0007\\'\""`],
  [String.raw`"\101\7\x41\u00e9\U0001F600"`, '"A\\u0007Aé😀"'],
  ['"a\\\nb"', '"ab"'],
  ['"a\\\r\nb"', '"ab"'],
  [String.raw`r"\n\"" R'\d'`, String.raw`"\\n\\\"\\d"`],
  [String.raw`b"a\xff\n" Rb"\x"`, String.raw`b"aÿ\n\\x"`],
  ['""', '""'],
  ['""""""', '""'],
])('%s', (text, value) => {
  expect(expression(text)).toBe(value);
});

test.each([
  ['f"a{b}c"', '(Joined parts=["a" (FormatPart expr=b) "c"])'],
  ['f"a{{b}}"', '"a{b}"'],
  [
    'f"{a!r:>{w}.{p}f}"',
    '(Joined parts=[(FormatPart expr=a conversion=r spec=(Joined parts=[">" (FormatPart expr=w) "." (FormatPart expr=p) "f"]))])',
  ],
  ['f"{a:}"', "(Joined parts=[(FormatPart expr=a spec='')])".replace("''", '""')],
  [
    'f"{a:>6}{b:->5}{c:<+5}{d:+>5}"',
    '(Joined parts=[(FormatPart expr=a spec=">6") (FormatPart expr=b spec="->5") (FormatPart expr=c spec="<+5") (FormatPart expr=d spec="+>5")])',
  ],
  ['f"{a:# x}"', '(Joined parts=[(FormatPart expr=a spec="# x")])'],
  [
    'f"{a=} {b = !s}"',
    '(Joined parts=[(FormatPart expr=a debugText=a=) " " (FormatPart expr=b debugText=b =  conversion=s)])',
  ],
  [
    'f"{a != b}{(c := 1)}{d == e}"',
    '(Joined parts=[(FormatPart expr=(Compare operands=[a b] ops=[!=])) (FormatPart expr=(Walrus name=c value=1)) (FormatPart expr=(Compare operands=[d e] ops=[==]))])',
  ],
  [
    'f"{g("x")}{h["k"]}{ {"a": 1}["a"] }"',
    '(Joined parts=[(FormatPart expr=(Call callee=g args=[(Argument sort=positional value="x")])) (FormatPart expr=(Index object=h index="k")) (FormatPart expr=(Index object=(DictExpr entries=[{key="a" value=1}]) index="a"))])',
  ],
  ['f"{f"{a}"}"', '(Joined parts=[(FormatPart expr=(Joined parts=[(FormatPart expr=a)]))])'],
  [
    'f"{a[1:2]}{ {1: 2} }{lambda: 1}"',
    '(Joined parts=[(FormatPart expr=(Index object=a index=(Slice lower=1 upper=2))) (FormatPart expr=(DictExpr entries=[{key=1 value=2}])) (FormatPart expr=(Lambda signature=(Signature) body=1))])',
  ],
  ['f"{\n a\n}"', '(Joined parts=[(FormatPart expr=a)])'],
  ["f'''{a}\n'b' ''' \"c\"", '(Joined parts=[(FormatPart expr=a) "\\n\'b\' " "c"])'],
  [String.raw`rf"\d{n}" f"\n\{a}"`, String.raw`(Joined parts=["\\d" (FormatPart expr=n) "\n\\" (FormatPart expr=a)])`],
  ['f"{yield a}"', '(Joined parts=[(FormatPart expr=(Yield value=a))])'],
])('%s', (text, tree) => {
  expect(expression(text)).toBe(tree);
});

test('spans of formatted parts', () => {
  const text = 'glob s = f"ab{c:>{d}}";';
  const { tree } = parseText(text);
  const [decl] = tree.body;
  const value = decl?.kind === 'GlobDecl' ? decl.items[0]?.value : undefined;
  const spans = value?.kind === 'Joined' ? value.parts.map((part) => text.slice(part.start, part.end)) : [];
  expect(spans).toEqual(['ab', '{c:>{d}}']);
  expect(text.slice(value?.start, value?.end)).toBe('f"ab{c:>{d}}"');
});

test('what is wrong with strings', () => {
  expect(codes('glob a = "x;\nglob b = 1;')).toEqual(['E0100 "x;']);
  expect(codes('glob a = f(1, "x);\nglob b = 1;')).toEqual(['E0100 "x);']);
  expect(codes('glob a = f("x\ny", 2);\nglob b = 1;')).toEqual(['E0100 "x']);
  expect(codes('glob a = "x\ny\nz";\nglob b = 1;')).toEqual(['E0100 "x']);
  expect(codes('glob a = "x;\nglob b = "y;')).toEqual(['E0100 "x;', 'E0100 "y;']);
  expect(codes('glob a = """x;\nglob b = 1;')).toEqual(['E0100 """']);
  expect(codes('glob a = f"x{b};\nglob c = 1;')).toEqual(['E0102 f"x{b};']);
  expect(codes('with entry { a = f"x{b}; }')).toEqual(['E0102 f"x{b}; }']);
  expect(codes('with entry { a = f"""x{b}; }\n')).toEqual(['E0102 f"""']);
  expect(codes('glob a = f"{b";\nglob c = 1;')).toEqual(['E0111']);
  expect(codes('glob a = f"{";\nglob c = 1;')).toEqual(['E0111']);
  expect(codes('glob a = f"{b c}";')).toEqual(['E0111']);
  expect(codes('glob a = f"{}";')).toEqual(['E0112 {}']);
  expect(codes('glob a = f"b}";')).toEqual(['E0110 }']);
  expect(codes('glob a = f"{b!x}";')).toEqual(['E0110 !x']);
  expect(codes('glob a = "x" b"y" "z";')).toEqual(['E0106 b"y"']);
  expect(
    codes(
      'glob a = "\\ud83d\\ude00", b = "\\ud83dx\\ude00", c = r"\\ud83d\\ude00", d = f"\\ud83d\\ude00", e = b"\\ud83d";',
    ),
  ).toEqual(['W0101 \\ud83d\\ude00', 'W0101 \\ud83d\\ude00', 'W0100 \\u']);
  expect(codes('glob a = "\\q\\x4";')).toEqual(['W0100 \\q', 'W0100 \\x']);
  expect(codes('glob a = "\\N{DASH}";')).toEqual(['E0904 \\N{DASH}']);
  expect(codes('glob a = b"é";')).toEqual(['E0105 é']);
});
