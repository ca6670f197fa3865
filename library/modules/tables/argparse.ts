/** Results of CPython: command lines with the arguments parsed from them, and help texts. */
export const cases: [string, string[], string][] = [
  [
    'build',
    ['x'],
    "Namespace(file='x', rest=[], verbose=0, output='out.txt', level=1, flag=False, pair=None, tag=None, opt=None, cache=True, json=False, text=False)",
  ],
  [
    'build',
    ['x', '1', '2'],
    "Namespace(file='x', rest=[1, 2], verbose=0, output='out.txt', level=1, flag=False, pair=None, tag=None, opt=None, cache=True, json=False, text=False)",
  ],
  [
    'build',
    ['-vv', 'x', '--level', '2'],
    "Namespace(file='x', rest=[], verbose=2, output='out.txt', level=2, flag=False, pair=None, tag=None, opt=None, cache=True, json=False, text=False)",
  ],
  [
    'build',
    ['x', '--output=o', '-ofoo'],
    "Namespace(file='x', rest=[], verbose=0, output='foo', level=1, flag=False, pair=None, tag=None, opt=None, cache=True, json=False, text=False)",
  ],
  [
    'build',
    ['--pair', 'a', 'b', 'x'],
    "Namespace(file='x', rest=[], verbose=0, output='out.txt', level=1, flag=False, pair=['a', 'b'], tag=None, opt=None, cache=True, json=False, text=False)",
  ],
  [
    'build',
    ['x', '--tag', '1', '--tag', '2'],
    "Namespace(file='x', rest=[], verbose=0, output='out.txt', level=1, flag=False, pair=None, tag=['1', '2'], opt=None, cache=True, json=False, text=False)",
  ],
  [
    'build',
    ['x', '--opt'],
    "Namespace(file='x', rest=[], verbose=0, output='out.txt', level=1, flag=False, pair=None, tag=None, opt='c', cache=True, json=False, text=False)",
  ],
  [
    'build',
    ['x', '--opt', 'z'],
    "Namespace(file='x', rest=[], verbose=0, output='out.txt', level=1, flag=False, pair=None, tag=None, opt='z', cache=True, json=False, text=False)",
  ],
  [
    'build',
    ['--opt', '--flag', 'x'],
    "Namespace(file='x', rest=[], verbose=0, output='out.txt', level=1, flag=True, pair=None, tag=None, opt='c', cache=True, json=False, text=False)",
  ],
  [
    'build',
    ['x', '--no-cache'],
    "Namespace(file='x', rest=[], verbose=0, output='out.txt', level=1, flag=False, pair=None, tag=None, opt=None, cache=False, json=False, text=False)",
  ],
  ['build', ['x', '--json', '--text'], 'exit 2: argument --text: not allowed with argument --json'],
  ['build', ['x', '--level', '9'], 'exit 2: argument --level: invalid choice: 9 (choose from 1, 2, 3)'],
  ['build', ['x', 'a'], "exit 2: argument rest: invalid int value: 'a'"],
  ['build', [], 'exit 2: the following arguments are required: file, rest'],
  ['build', ['x', '--unknown'], 'exit 2: unrecognized arguments: --unknown'],
  ['build', ['x', '--pair', '1'], 'exit 2: argument --pair: expected 2 arguments'],
  [
    'build',
    ['x', '--verb'],
    "Namespace(file='x', rest=[], verbose=1, output='out.txt', level=1, flag=False, pair=None, tag=None, opt=None, cache=True, json=False, text=False)",
  ],
  [
    'build',
    ['--out', 'q', 'x'],
    "Namespace(file='x', rest=[], verbose=0, output='q', level=1, flag=False, pair=None, tag=None, opt=None, cache=True, json=False, text=False)",
  ],
  [
    'build',
    ['--', '-x'],
    "Namespace(file='-x', rest=[], verbose=0, output='out.txt', level=1, flag=False, pair=None, tag=None, opt=None, cache=True, json=False, text=False)",
  ],
  [
    'build',
    ['x', '-1'],
    "Namespace(file='x', rest=[-1], verbose=0, output='out.txt', level=1, flag=False, pair=None, tag=None, opt=None, cache=True, json=False, text=False)",
  ],
  ['build', ['x', '--le'], 'exit 2: argument --level: expected one argument'],
  ['build', ['x', '--flag=1'], "exit 2: argument --flag: ignored explicit argument '1'"],
  [
    'build',
    ['-vo', 'p', 'x'],
    "Namespace(file='x', rest=[], verbose=1, output='p', level=1, flag=False, pair=None, tag=None, opt=None, cache=True, json=False, text=False)",
  ],
  ['build', ['x', '--t', '1'], 'exit 2: ambiguous option: --t could match --tag, --text'],
  ['build', ['x', '--level', 'abc'], "exit 2: argument --level: invalid int value: 'abc'"],
  ['sub', ['add', 'f', 'g'], "Namespace(dry=False, cmd='add', paths=['f', 'g'], n=None)"],
  ['sub', ['--dry', 'a', 'f', '-n', '1.5'], "Namespace(dry=True, cmd='a', paths=['f'], n=1.5)"],
  ['sub', ['commit', '-m', 'x'], "Namespace(dry=False, cmd='commit', message='x', fn='commit')"],
  ['sub', ['commit'], 'exit 2: the following arguments are required: -m/--message'],
  ['sub', [], 'exit 2: the following arguments are required: cmd'],
  ['sub', ['nope'], "exit 2: argument cmd: invalid choice: 'nope' (choose from 'add', 'a', 'commit')"],
  ['sub', ['add'], 'exit 2: the following arguments are required: paths'],
];
export const helps: Record<string, string> = {
  build:
    'usage: tool [-h] [-v] [-o PATH] [--level {1,2,3}] [--flag] [--pair A B]\n            [--tag TAG] [--opt [OPT]] [--cache | --no-cache] [--json | --text]\n            file [rest ...]\n\nDoes a thing with many words so that the description has to be wrapped\nsomewhere near the end.\n\npositional arguments:\n  file                  input file\n  rest\n\noptions:\n  -h, --help            show this help message and exit\n  -v, --verbose         more output\n  -o PATH, --output PATH\n                        where to (default: out.txt)\n  --level {1,2,3}\n  --flag\n  --pair A B\n  --tag TAG\n  --opt [OPT]\n  --cache, --no-cache\n  --json\n  --text                a rather long help text for this option that needs\n                        more than a single line to be shown\n\nThe end.\n',
  sub: 'usage: git [-h] [--dry] {add,a,commit} ...\n\npositional arguments:\n  {add,a,commit}  what to do\n    add (a)       add files\n\noptions:\n  -h, --help      show this help message and exit\n  --dry\n',
  usage:
    'usage: tool [-h] [-v] [-o PATH] [--level {1,2,3}] [--flag] [--pair A B]\n            [--tag TAG] [--opt [OPT]] [--cache | --no-cache] [--json | --text]\n            file [rest ...]\n',
};
