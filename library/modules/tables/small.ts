/** Results of CPython: pretty-printed values, unescaped HTML, packed structures. */
export const printed: [any, Record<string, unknown>, string][] = [
  [
    {
      d: [
        ['name', 'a long name for a value'],
        [
          'values',
          [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
            29,
          ],
        ],
        [
          'nested',
          {
            d: [
              ['k', ['some text here', 'and some more of it']],
              ['t', { t: [1, 2, 3] }],
            ],
          },
        ],
      ],
    },
    {},
    "{'name': 'a long name for a value',\n 'nested': {'k': ['some text here', 'and some more of it'], 't': (1, 2, 3)},\n 'values': [0,\n            1,\n            2,\n            3,\n            4,\n            5,\n            6,\n            7,\n            8,\n            9,\n            10,\n            11,\n            12,\n            13,\n            14,\n            15,\n            16,\n            17,\n            18,\n            19,\n            20,\n            21,\n            22,\n            23,\n            24,\n            25,\n            26,\n            27,\n            28,\n            29]}",
  ],
  [
    {
      d: [
        ['name', 'a long name for a value'],
        [
          'values',
          [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
            29,
          ],
        ],
        [
          'nested',
          {
            d: [
              ['k', ['some text here', 'and some more of it']],
              ['t', { t: [1, 2, 3] }],
            ],
          },
        ],
      ],
    },
    { width: 40 },
    "{'name': 'a long name for a value',\n 'nested': {'k': ['some text here',\n                  'and some more of '\n                  'it'],\n            't': (1, 2, 3)},\n 'values': [0,\n            1,\n            2,\n            3,\n            4,\n            5,\n            6,\n            7,\n            8,\n            9,\n            10,\n            11,\n            12,\n            13,\n            14,\n            15,\n            16,\n            17,\n            18,\n            19,\n            20,\n            21,\n            22,\n            23,\n            24,\n            25,\n            26,\n            27,\n            28,\n            29]}",
  ],
  [
    {
      d: [
        ['name', 'a long name for a value'],
        [
          'values',
          [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
            29,
          ],
        ],
        [
          'nested',
          {
            d: [
              ['k', ['some text here', 'and some more of it']],
              ['t', { t: [1, 2, 3] }],
            ],
          },
        ],
      ],
    },
    { indent: 4 },
    "{   'name': 'a long name for a value',\n    'nested': {'k': ['some text here', 'and some more of it'], 't': (1, 2, 3)},\n    'values': [   0,\n                  1,\n                  2,\n                  3,\n                  4,\n                  5,\n                  6,\n                  7,\n                  8,\n                  9,\n                  10,\n                  11,\n                  12,\n                  13,\n                  14,\n                  15,\n                  16,\n                  17,\n                  18,\n                  19,\n                  20,\n                  21,\n                  22,\n                  23,\n                  24,\n                  25,\n                  26,\n                  27,\n                  28,\n                  29]}",
  ],
  [
    {
      d: [
        ['name', 'a long name for a value'],
        [
          'values',
          [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
            29,
          ],
        ],
        [
          'nested',
          {
            d: [
              ['k', ['some text here', 'and some more of it']],
              ['t', { t: [1, 2, 3] }],
            ],
          },
        ],
      ],
    },
    { compact: true, width: 50 },
    "{'name': 'a long name for a value',\n 'nested': {'k': ['some text here',\n                  'and some more of it'],\n            't': (1, 2, 3)},\n 'values': [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,\n            12, 13, 14, 15, 16, 17, 18, 19, 20,\n            21, 22, 23, 24, 25, 26, 27, 28, 29]}",
  ],
  [
    {
      d: [
        ['name', 'a long name for a value'],
        [
          'values',
          [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
            29,
          ],
        ],
        [
          'nested',
          {
            d: [
              ['k', ['some text here', 'and some more of it']],
              ['t', { t: [1, 2, 3] }],
            ],
          },
        ],
      ],
    },
    { depth: 2 },
    "{'name': 'a long name for a value',\n 'nested': {'k': [...], 't': (...)},\n 'values': [0,\n            1,\n            2,\n            3,\n            4,\n            5,\n            6,\n            7,\n            8,\n            9,\n            10,\n            11,\n            12,\n            13,\n            14,\n            15,\n            16,\n            17,\n            18,\n            19,\n            20,\n            21,\n            22,\n            23,\n            24,\n            25,\n            26,\n            27,\n            28,\n            29]}",
  ],
  [
    {
      d: [
        ['name', 'a long name for a value'],
        [
          'values',
          [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
            29,
          ],
        ],
        [
          'nested',
          {
            d: [
              ['k', ['some text here', 'and some more of it']],
              ['t', { t: [1, 2, 3] }],
            ],
          },
        ],
      ],
    },
    { sort_dicts: false, width: 30 },
    "{'name': 'a long name for a '\n         'value',\n 'values': [0,\n            1,\n            2,\n            3,\n            4,\n            5,\n            6,\n            7,\n            8,\n            9,\n            10,\n            11,\n            12,\n            13,\n            14,\n            15,\n            16,\n            17,\n            18,\n            19,\n            20,\n            21,\n            22,\n            23,\n            24,\n            25,\n            26,\n            27,\n            28,\n            29],\n 'nested': {'k': ['some text '\n                  'here',\n                  'and some '\n                  'more of '\n                  'it'],\n            't': (1, 2, 3)}}",
  ],
  [
    [
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    ],
    {},
    '[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]',
  ],
  [
    [
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    ],
    { width: 40 },
    '[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]',
  ],
  [
    [
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    ],
    { indent: 4 },
    '[   [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]',
  ],
  [
    [
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    ],
    { compact: true, width: 50 },
    '[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]',
  ],
  [
    [
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    ],
    { depth: 2 },
    '[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],\n [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]',
  ],
  [
    [
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    ],
    { sort_dicts: false, width: 30 },
    '[[0,\n  1,\n  2,\n  3,\n  4,\n  5,\n  6,\n  7,\n  8,\n  9],\n [0,\n  1,\n  2,\n  3,\n  4,\n  5,\n  6,\n  7,\n  8,\n  9],\n [0,\n  1,\n  2,\n  3,\n  4,\n  5,\n  6,\n  7,\n  8,\n  9],\n [0,\n  1,\n  2,\n  3,\n  4,\n  5,\n  6,\n  7,\n  8,\n  9],\n [0,\n  1,\n  2,\n  3,\n  4,\n  5,\n  6,\n  7,\n  8,\n  9],\n [0,\n  1,\n  2,\n  3,\n  4,\n  5,\n  6,\n  7,\n  8,\n  9]]',
  ],
  [
    [
      'word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word ',
    ],
    {},
    "['word word word word word word word word word word word word word word word '\n 'word word word word word word word word word word word word word word word ']",
  ],
  [
    [
      'word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word ',
    ],
    { width: 40 },
    "['word word word word word word word '\n 'word word word word word word word '\n 'word word word word word word word '\n 'word word word word word word word '\n 'word word ']",
  ],
  [
    [
      'word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word ',
    ],
    { indent: 4 },
    "[   'word word word word word word word word word word word word word word '\n    'word word word word word word word word word word word word word word '\n    'word word ']",
  ],
  [
    [
      'word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word ',
    ],
    { compact: true, width: 50 },
    "['word word word word word word word word word '\n 'word word word word word word word word word '\n 'word word word word word word word word word '\n 'word word word ']",
  ],
  [
    [
      'word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word ',
    ],
    { depth: 2 },
    "['word word word word word word word word word word word word word word word '\n 'word word word word word word word word word word word word word word word ']",
  ],
  [
    [
      'word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word ',
    ],
    { sort_dicts: false, width: 30 },
    "['word word word word word '\n 'word word word word word '\n 'word word word word word '\n 'word word word word word '\n 'word word word word word '\n 'word word word word word ']",
  ],
  [
    'text that is long enough to be broken into several pieces because it does not fit on one line of eighty columns',
    {},
    "('text that is long enough to be broken into several pieces because it does '\n 'not fit on one line of eighty columns')",
  ],
  [
    'text that is long enough to be broken into several pieces because it does not fit on one line of eighty columns',
    { width: 40 },
    "('text that is long enough to be '\n 'broken into several pieces because '\n 'it does not fit on one line of '\n 'eighty columns')",
  ],
  [
    'text that is long enough to be broken into several pieces because it does not fit on one line of eighty columns',
    { indent: 4 },
    "('text that is long enough to be broken into several pieces because it does '\n 'not fit on one line of eighty columns')",
  ],
  [
    'text that is long enough to be broken into several pieces because it does not fit on one line of eighty columns',
    { compact: true, width: 50 },
    "('text that is long enough to be broken into '\n 'several pieces because it does not fit on one '\n 'line of eighty columns')",
  ],
  [
    'text that is long enough to be broken into several pieces because it does not fit on one line of eighty columns',
    { depth: 2 },
    "('text that is long enough to be broken into several pieces because it does '\n 'not fit on one line of eighty columns')",
  ],
  [
    'text that is long enough to be broken into several pieces because it does not fit on one line of eighty columns',
    { sort_dicts: false, width: 30 },
    "('text that is long enough '\n 'to be broken into several '\n 'pieces because it does not '\n 'fit on one line of eighty '\n 'columns')",
  ],
  [
    {
      d: [
        ['b', 1],
        [
          'a',
          [
            1,
            2,
            {
              d: [
                ['z', null],
                ['y', true],
              ],
            },
          ],
        ],
      ],
    },
    {},
    "{'a': [1, 2, {'y': True, 'z': None}], 'b': 1}",
  ],
  [
    {
      d: [
        ['b', 1],
        [
          'a',
          [
            1,
            2,
            {
              d: [
                ['z', null],
                ['y', true],
              ],
            },
          ],
        ],
      ],
    },
    { width: 40 },
    "{'a': [1, 2, {'y': True, 'z': None}],\n 'b': 1}",
  ],
  [
    {
      d: [
        ['b', 1],
        [
          'a',
          [
            1,
            2,
            {
              d: [
                ['z', null],
                ['y', true],
              ],
            },
          ],
        ],
      ],
    },
    { indent: 4 },
    "{'a': [1, 2, {'y': True, 'z': None}], 'b': 1}",
  ],
  [
    {
      d: [
        ['b', 1],
        [
          'a',
          [
            1,
            2,
            {
              d: [
                ['z', null],
                ['y', true],
              ],
            },
          ],
        ],
      ],
    },
    { compact: true, width: 50 },
    "{'a': [1, 2, {'y': True, 'z': None}], 'b': 1}",
  ],
  [
    {
      d: [
        ['b', 1],
        [
          'a',
          [
            1,
            2,
            {
              d: [
                ['z', null],
                ['y', true],
              ],
            },
          ],
        ],
      ],
    },
    { depth: 2 },
    "{'a': [1, 2, {...}], 'b': 1}",
  ],
  [
    {
      d: [
        ['b', 1],
        [
          'a',
          [
            1,
            2,
            {
              d: [
                ['z', null],
                ['y', true],
              ],
            },
          ],
        ],
      ],
    },
    { sort_dicts: false, width: 30 },
    "{'b': 1,\n 'a': [1,\n       2,\n       {'z': None,\n        'y': True}]}",
  ],
  [
    { d: [['key', 'line one\nline two which is long enough to matter for the width of the printed text, really']] },
    {},
    "{'key': 'line one\\n'\n        'line two which is long enough to matter for the width of the printed '\n        'text, really'}",
  ],
  [
    { d: [['key', 'line one\nline two which is long enough to matter for the width of the printed text, really']] },
    { width: 40 },
    "{'key': 'line one\\n'\n        'line two which is long enough '\n        'to matter for the width of '\n        'the printed text, really'}",
  ],
  [
    { d: [['key', 'line one\nline two which is long enough to matter for the width of the printed text, really']] },
    { indent: 4 },
    "{   'key': 'line one\\n'\n           'line two which is long enough to matter for the width of the '\n           'printed text, really'}",
  ],
  [
    { d: [['key', 'line one\nline two which is long enough to matter for the width of the printed text, really']] },
    { compact: true, width: 50 },
    "{'key': 'line one\\n'\n        'line two which is long enough to matter '\n        'for the width of the printed text, '\n        'really'}",
  ],
  [
    { d: [['key', 'line one\nline two which is long enough to matter for the width of the printed text, really']] },
    { depth: 2 },
    "{'key': 'line one\\n'\n        'line two which is long enough to matter for the width of the printed '\n        'text, really'}",
  ],
  [
    { d: [['key', 'line one\nline two which is long enough to matter for the width of the printed text, really']] },
    { sort_dicts: false, width: 30 },
    "{'key': 'line one\\n'\n        'line two which is '\n        'long enough to '\n        'matter for the '\n        'width of the '\n        'printed text, '\n        'really'}",
  ],
  [
    {
      d: [
        ['s', { s: [1, 2, 3] }],
        [
          'long',
          {
            s: [
              'member number 0',
              'member number 1',
              'member number 2',
              'member number 3',
              'member number 4',
              'member number 5',
            ],
          },
        ],
      ],
    },
    {},
    "{'long': {'member number 0',\n          'member number 1',\n          'member number 2',\n          'member number 3',\n          'member number 4',\n          'member number 5'},\n 's': {1, 2, 3}}",
  ],
  [
    {
      d: [
        ['s', { s: [1, 2, 3] }],
        [
          'long',
          {
            s: [
              'member number 0',
              'member number 1',
              'member number 2',
              'member number 3',
              'member number 4',
              'member number 5',
            ],
          },
        ],
      ],
    },
    { width: 40 },
    "{'long': {'member number 0',\n          'member number 1',\n          'member number 2',\n          'member number 3',\n          'member number 4',\n          'member number 5'},\n 's': {1, 2, 3}}",
  ],
  [
    {
      d: [
        ['s', { s: [1, 2, 3] }],
        [
          'long',
          {
            s: [
              'member number 0',
              'member number 1',
              'member number 2',
              'member number 3',
              'member number 4',
              'member number 5',
            ],
          },
        ],
      ],
    },
    { indent: 4 },
    "{   'long': {   'member number 0',\n                'member number 1',\n                'member number 2',\n                'member number 3',\n                'member number 4',\n                'member number 5'},\n    's': {1, 2, 3}}",
  ],
  [
    {
      d: [
        ['s', { s: [1, 2, 3] }],
        [
          'long',
          {
            s: [
              'member number 0',
              'member number 1',
              'member number 2',
              'member number 3',
              'member number 4',
              'member number 5',
            ],
          },
        ],
      ],
    },
    { compact: true, width: 50 },
    "{'long': {'member number 0', 'member number 1',\n          'member number 2', 'member number 3',\n          'member number 4', 'member number 5'},\n 's': {1, 2, 3}}",
  ],
  [
    {
      d: [
        ['s', { s: [1, 2, 3] }],
        [
          'long',
          {
            s: [
              'member number 0',
              'member number 1',
              'member number 2',
              'member number 3',
              'member number 4',
              'member number 5',
            ],
          },
        ],
      ],
    },
    { depth: 2 },
    "{'long': {'member number 0',\n          'member number 1',\n          'member number 2',\n          'member number 3',\n          'member number 4',\n          'member number 5'},\n 's': {1, 2, 3}}",
  ],
  [
    {
      d: [
        ['s', { s: [1, 2, 3] }],
        [
          'long',
          {
            s: [
              'member number 0',
              'member number 1',
              'member number 2',
              'member number 3',
              'member number 4',
              'member number 5',
            ],
          },
        ],
      ],
    },
    { sort_dicts: false, width: 30 },
    "{'s': {1, 2, 3},\n 'long': {'member number 0',\n          'member number 1',\n          'member number 2',\n          'member number 3',\n          'member number 4',\n          'member number 5'}}",
  ],
  [
    { t: ['only one element in this tuple which is very long, longer than the eighty columns of a line'] },
    {},
    "('only one element in this tuple which is very long, longer than the eighty '\n 'columns of a line',)",
  ],
  [
    { t: ['only one element in this tuple which is very long, longer than the eighty columns of a line'] },
    { width: 40 },
    "('only one element in this tuple which '\n 'is very long, longer than the eighty '\n 'columns of a line',)",
  ],
  [
    { t: ['only one element in this tuple which is very long, longer than the eighty columns of a line'] },
    { indent: 4 },
    "(   'only one element in this tuple which is very long, longer than the eighty '\n    'columns of a line',)",
  ],
  [
    { t: ['only one element in this tuple which is very long, longer than the eighty columns of a line'] },
    { compact: true, width: 50 },
    "('only one element in this tuple which is very '\n 'long, longer than the eighty columns of a '\n 'line',)",
  ],
  [
    { t: ['only one element in this tuple which is very long, longer than the eighty columns of a line'] },
    { depth: 2 },
    "('only one element in this tuple which is very long, longer than the eighty '\n 'columns of a line',)",
  ],
  [
    { t: ['only one element in this tuple which is very long, longer than the eighty columns of a line'] },
    { sort_dicts: false, width: 30 },
    "('only one element in this '\n 'tuple which is very long, '\n 'longer than the eighty '\n 'columns of a line',)",
  ],
];
export const unescaped: [string, string][] = [
  [
    '&lt;b&gt; &amp;amp; &quot;x&#39; &#x41;&#65 &eacute; &eacute &hellip; &notit; &nosuch; &copy2024 &#128; &#0; &apos; & &;',
    "<b> &amp; \"x' AA \u00e9 \u00e9 \u2026 \u00acit; &nosuch; \u00a92024 \u20ac \ufffd ' & &;",
  ],
];
export const packed: [string, any[], string, string][] = [
  ['<IHb', [1, 2, -3], '010000000200fd', '(1, 2, -3)'],
  ['>q', [-5], 'fffffffffffffffb', '(-5,)'],
  ['!d', [1.5], '3ff8000000000000', '(1.5,)'],
  ['3s2x?', [{ b: 'abcd' }, true], '616263000001', "(b'abc', True)"],
  ['<e', [0.1], '662e', '(0.0999755859375,)'],
  ['<4i', [1, 2, 3, 4], '01000000020000000300000004000000', '(1, 2, 3, 4)'],
  ['5p', [{ b: 'hello' }], '0468656c6c', "(b'hell',)"],
  ['@bi', [1, 2], '0100000002000000', '(1, 2)'],
  ['=bi', [1, 2], '0102000000', '(1, 2)'],
  ['<f', [3.25], '00005040', '(3.25,)'],
  ['<Q', [{ n: '18446744073709551615' }], 'ffffffffffffffff', '(18446744073709551615,)'],
  ['c', [{ b: 'x' }], '78', "(b'x',)"],
  ['>H', [65535], 'ffff', '(65535,)'],
  ['<e', [65504.0], 'ff7b', '(65504.0,)'],
  ['<e', [1e-7], '0200', '(1.1920928955078125e-07,)'],
];
