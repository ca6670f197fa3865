/**
 * Standard modules (language.md 6.10): `$.std(name)`. A module object is made when a program first imports it. To add one: a file in
 * modules/ that exports its maker, and a line in `makers`. Modules that belong to other parts of the runtime (`byllm`, `svc_scale.lib`,
 * `svclang`) register themselves with `addModule`.
 */
import { ModuleNotFoundError } from '../values/exceptions.ts';
import { type Members, makeModule } from './module.ts';
import { makeAbc } from './modules/abc.ts';
import { makeArgparse } from './modules/argparse.ts';
import { makeAsyncio } from './modules/asyncio.ts';
import { makeBisect } from './modules/bisect.ts';
import { makeCollections, makeCollectionsAbc } from './modules/collections.ts';
import { makeContextlib } from './modules/contextlib.ts';
import { makeCopy } from './modules/copy.ts';
import { makeCsv } from './modules/csv.ts';
import { makeDataclasses } from './modules/dataclasses.ts';
import { makeDatetime } from './modules/datetime.ts';
import { makeDecimal } from './modules/decimal.ts';
import { makeEnum } from './modules/enum.ts';
import { makeFractions } from './modules/fractions.ts';
import { makeFunctools } from './modules/functools.ts';
import { makeGetpass } from './modules/getpass.ts';
import { makeBase64, makeHashlib, makeHmac, makeSecrets } from './modules/hashlib.ts';
import { makeHeapq } from './modules/heapq.ts';
import { makeHtml } from './modules/html.ts';
import { makeHttp } from './modules/http.ts';
import { makeInspect } from './modules/inspect.ts';
import { makeIo } from './modules/io.ts';
import { makeItertools } from './modules/itertools.ts';
import { makeJson } from './modules/json.ts';
import { makeLogging } from './modules/logging.ts';
import { makeLoggingHandlers } from './modules/logging-handlers.ts';
import { makeMath } from './modules/math.ts';
import { makeOperator } from './modules/operator.ts';
import { makeOs } from './modules/os.ts';
import { makePathlib } from './modules/pathlib.ts';
import { makePath } from './modules/paths.ts';
import { makePlatform } from './modules/platform.ts';
import { makePprint } from './modules/pprint.ts';
import { makeQueue } from './modules/queue.ts';
import { makeRandom } from './modules/random.ts';
import { makeRe } from './modules/re.ts';
import { makeRequests } from './modules/requests.ts';
import { makeRequestsExceptions } from './modules/requests-exceptions.ts';
import { makeShutil } from './modules/shutil.ts';
import { makeSocket } from './modules/socket.ts';
import { makeStatistics } from './modules/statistics.ts';
import { makeString } from './modules/string.ts';
import { makeStruct } from './modules/struct.ts';
import { makeSubprocess } from './modules/subprocess.ts';
import { makeSys } from './modules/sys.ts';
import { makeTempfile } from './modules/tempfile.ts';
import { makeTextwrap } from './modules/textwrap.ts';
import { makeThreading } from './modules/threading.ts';
import { makeTime } from './modules/time.ts';
import { makeTraceback } from './modules/traceback.ts';
import { makeTypes } from './modules/types.ts';
import { makeTyping } from './modules/typing.ts';
import { makeUnittest, makeUnittestMock } from './modules/unittest-mock.ts';
import { makeUrllib } from './modules/urllib.ts';
import { makeUrllibError } from './modules/urllib-error.ts';
import { makeUrllibParse } from './modules/urllib-parse.ts';
import { makeUrllibRequest } from './modules/urllib-request.ts';
import { makeUuid } from './modules/uuid.ts';
import { makeWarnings } from './modules/warnings.ts';
import { makeZlib } from './modules/zlib.ts';

const makers: Record<string, () => Members> = {
  abc: makeAbc,
  argparse: makeArgparse,
  asyncio: makeAsyncio,
  base64: makeBase64,
  bisect: makeBisect,
  'collections.abc': makeCollectionsAbc,
  collections: makeCollections,
  contextlib: makeContextlib,
  copy: makeCopy,
  csv: makeCsv,
  dataclasses: makeDataclasses,
  datetime: makeDatetime,
  decimal: makeDecimal,
  enum: makeEnum,
  fractions: makeFractions,
  functools: makeFunctools,
  getpass: makeGetpass,
  hashlib: makeHashlib,
  heapq: makeHeapq,
  hmac: makeHmac,
  html: makeHtml,
  http: makeHttp,
  inspect: makeInspect,
  io: makeIo,
  itertools: makeItertools,
  json: makeJson,
  'logging.handlers': makeLoggingHandlers,
  logging: makeLogging,
  math: makeMath,
  operator: makeOperator,
  'os.path': makePath,
  os: makeOs,
  pathlib: makePathlib,
  platform: makePlatform,
  pprint: makePprint,
  queue: makeQueue,
  random: makeRandom,
  re: makeRe,
  'requests.exceptions': makeRequestsExceptions,
  requests: makeRequests,
  secrets: makeSecrets,
  shutil: makeShutil,
  socket: makeSocket,
  statistics: makeStatistics,
  string: makeString,
  struct: makeStruct,
  subprocess: makeSubprocess,
  sys: makeSys,
  tempfile: makeTempfile,
  textwrap: makeTextwrap,
  threading: makeThreading,
  time: makeTime,
  traceback: makeTraceback,
  types: makeTypes,
  typing: makeTyping,
  typing_extensions: makeTyping,
  'unittest.mock': makeUnittestMock,
  unittest: makeUnittest,
  'urllib.error': makeUrllibError,
  'urllib.parse': makeUrllibParse,
  'urllib.request': makeUrllibRequest,
  urllib: makeUrllib,
  uuid: makeUuid,
  warnings: makeWarnings,
  zlib: makeZlib,
};

const made = new Map<string, any>();

/** The module object called `name`. @throws ModuleNotFoundError */
export function std(name: string): any {
  let module = made.get(name);
  if (module === undefined) {
    const maker = makers[name];
    if (maker === undefined) throw notFound(name);
    module = makeModule(name, maker());
    made.set(name, module);
  }
  return module;
}

/** Is there a standard module of this name? */
export function hasModule(name: string): boolean {
  return Object.hasOwn(makers, name);
}

/** Adds (or replaces) a module. */
export function addModule(name: string, maker: () => Members): void {
  makers[name] = maker;
  made.delete(name);
}

/** `__import__(name)`: the top of a dotted name. */
export function importModule(name: string): any {
  std(name);
  const top = name.split('.', 1)[0]!;
  return std(hasModule(top) ? top : name);
}

function notFound(name: string): ModuleNotFoundError {
  const error: any = new ModuleNotFoundError(
    `module ${name} is a CPython package and is not available on this runtime`,
  );
  error.name = name;
  return error;
}
