/**
 * Standard modules of the language (docs/language/standard-modules.md#modules). To add one: a file in modules/ that
 * exports its maker, and a line in `usual` when many programs use it, else in rare-modules.ts (decisions/0015).
 */
import type { Members } from './builtins/module.ts';
import { makeDatetime } from './modules/datetime/datetime.ts';
import { makePath } from './modules/pathlib/paths.ts';
import { makeUuid } from './modules/uuid.ts';
import { addModules, type Makers, type ModuleList } from './registry.ts';

const core: Makers = {
  datetime: makeDatetime,
  'os.path': makePath,
  uuid: makeUuid,
};

const usual: ModuleList['usual'] = {
  abc: async () => ({ abc: (await import('./modules/abc.ts')).makeAbc }),
  asyncio: async () => ({ asyncio: (await import('./modules/asyncio/asyncio.ts')).makeAsyncio }),
  collections: readCollections,
  'collections.abc': readCollections,
  copy: async () => ({ copy: (await import('./modules/copy.ts')).makeCopy }),
  dataclasses: async () => ({ dataclasses: (await import('./modules/dataclasses/dataclasses.ts')).makeDataclasses }),
  enum: async () => ({ enum: (await import('./modules/enum.ts')).makeEnum }),
  functools: async () => ({ functools: (await import('./modules/functools.ts')).makeFunctools }),
  json: readJson,
  'json.decoder': readJson,
  'json.encoder': readJson,
  math: async () => ({ math: (await import('./modules/math/math.ts')).makeMath }),
  os: async () => ({ os: (await import('./modules/os.ts')).makeOs }),
  random: async () => ({ random: (await import('./modules/random/random.ts')).makeRandom }),
  re: async () => ({ re: (await import('./modules/re/re.ts')).makeRe }),
  'svclang.protocols': async () => ({ 'svclang.protocols': (await import('./modules/protocols.ts')).makeProtocols }),
  'svclang.files': async () => {
    const { open } = await import('./builtins/open.ts');
    return { 'svclang.files': () => ({ open }) };
  },
  sys: async () => ({ sys: (await import('./modules/sys.ts')).makeSys }),
  time: async () => ({ time: (await import('./modules/datetime/time.ts')).makeTime }),
  types: async () => ({ types: (await import('./modules/types.ts')).makeTypes }),
  typing: readTyping,
  typing_extensions: readTyping,
};

async function readCollections(): Promise<Makers> {
  const { makeCollections, makeCollectionsAbc } = await import('./modules/collections/collections.ts');
  return { collections: makeCollections, 'collections.abc': makeCollectionsAbc };
}

async function readJson(): Promise<Makers> {
  const { makeJson } = await import('./modules/json/json.ts');
  return {
    json: makeJson,
    'json.decoder': () => pick(makeJson(), 'JSONDecoder', 'JSONDecodeError'),
    'json.encoder': () => pick(makeJson(), 'JSONEncoder'),
  };
}

async function readTyping(): Promise<Makers> {
  const { makeTyping } = await import('./modules/typing/typing.ts');
  return { typing: makeTyping, typing_extensions: makeTyping };
}

function pick(members: Members, ...names: readonly string[]): Members {
  return Object.fromEntries(names.map((name) => [name, members[name]]));
}

addModules({ core, usual, rare: async (names) => (await import('./rare-modules.ts')).readRare(names) });
