/**
 * Standard modules that most programs do not import. They are read together, when the first program that imports one of them (or one that is
 * not known) is loaded: apart they would cost every start more in small shared files than they save.
 */

import { open } from './builtins/open.ts';
import { addBuiltins } from './builtins/table.ts';
import { makeGzip } from './modules/archives/gzip.ts';
import { makeShutil } from './modules/archives/shutil.ts';
import { makeZlib } from './modules/archives/zlib.ts';
import { makeArgparse } from './modules/argparse/argparse.ts';
import { makeArray } from './modules/array.ts';
import { makeBase64 } from './modules/base64.ts';
import { makeBinascii } from './modules/binascii.ts';
import { makeBisect } from './modules/bisect.ts';
import { makeConfigparser } from './modules/configparser/configparser.ts';
import { makeContextlib } from './modules/contextlib/contextlib.ts';
import { makeContextvars } from './modules/contextvars.ts';
import { makeCsv } from './modules/csv/csv.ts';
import { makeCalendar } from './modules/datetime/calendar.ts';
import { makeZoneinfo } from './modules/datetime/zoneinfo.ts';
import { makeDecimal } from './modules/decimal/decimal.ts';
import { makeDifflib } from './modules/difflib.ts';
import { makeDotenv } from './modules/dotenv.ts';
import { makeErrno } from './modules/errno.ts';
import { makeGroups } from './modules/exception-groups.ts';
import { makeFractions } from './modules/fractions.ts';
import { makeGetpass } from './modules/getpass.ts';
import { makeGraphlib } from './modules/graphlib.ts';
import { makeHashlib, makeHmac, makeSecrets } from './modules/hashlib/hashlib.ts';
import { makeHeapq } from './modules/heapq.ts';
import { makeHtml } from './modules/html/html.ts';
import { makeInspect } from './modules/inspect/inspect.ts';
import { makeIo } from './modules/io.ts';
import { makeIpaddress } from './modules/ipaddress/ipaddress.ts';
import { makeItertools } from './modules/itertools/itertools.ts';
import { makeKeyword } from './modules/keyword.ts';
import { makeLocale } from './modules/locale.ts';
import { makeLoggingConfig } from './modules/logging/config.ts';
import { makeLogging } from './modules/logging/logging.ts';
import { makeLoggingHandlers } from './modules/logging/more-handlers.ts';
import { makeMimetypes } from './modules/mimetypes.ts';
import { makeNumbers } from './modules/numbers.ts';
import { makeOperator } from './modules/operator.ts';
import { makeFnmatch, makeGlob } from './modules/pathlib/glob.ts';
import { makePathlib } from './modules/pathlib/pathlib.ts';
import { makePlatform } from './modules/platform.ts';
import { makePprint } from './modules/pprint.ts';
import { makeRequestsExceptions } from './modules/requests/exceptions.ts';
import { makeRequests } from './modules/requests/requests.ts';
import { makeShlex } from './modules/shlex.ts';
import { makeSocket } from './modules/socket.ts';
import { makeStatistics } from './modules/statistics.ts';
import { makeString } from './modules/string.ts';
import { makeStruct } from './modules/struct.ts';
import { makeSubprocess } from './modules/subprocess/subprocess.ts';
import { makeTempfile } from './modules/tempfile.ts';
import { makeTextwrap } from './modules/textwrap.ts';
import { makeFutures } from './modules/threading/futures.ts';
import { makeQueue } from './modules/threading/queue.ts';
import { makeThreading } from './modules/threading/threading.ts';
import { makeTimeit } from './modules/timeit.ts';
import { makeTomllib } from './modules/tomllib.ts';
import { makeTraceback } from './modules/traceback.ts';
import { makeUnittestMock } from './modules/unittest/mock/module.ts';
import { makeUrllibError } from './modules/urllib/error.ts';
import { makeUrllibParse } from './modules/urllib/parse.ts';
import { makeUrllibRequest } from './modules/urllib/request.ts';
import { makeUrllib } from './modules/urllib/urllib.ts';
import { makeWarnings } from './modules/warnings.ts';
import { makeWeakref } from './modules/weakref.ts';
import { type Maker, type Makers, std } from './registry.ts';

// Built-ins that compiled code takes from a module of its own; `builtins`, which makes all modules ready, has them too.
addBuiltins({ open });

const rareMakers: Makers = {
  argparse: makeArgparse,
  base64: makeBase64,
  bisect: makeBisect,
  contextlib: makeContextlib,
  csv: makeCsv,
  decimal: makeDecimal,
  dotenv: makeDotenv,
  fnmatch: makeFnmatch,
  fractions: makeFractions,
  getpass: makeGetpass,
  glob: makeGlob,
  hashlib: makeHashlib,
  heapq: makeHeapq,
  hmac: makeHmac,
  html: makeHtml,
  inspect: makeInspect,
  io: makeIo,
  itertools: makeItertools,
  'logging.config': makeLoggingConfig,
  'logging.handlers': makeLoggingHandlers,
  logging: makeLogging,
  operator: makeOperator,
  pathlib: makePathlib,
  platform: makePlatform,
  pprint: makePprint,
  queue: makeQueue,
  'requests.exceptions': makeRequestsExceptions,
  requests: makeRequests,
  secrets: makeSecrets,
  shutil: makeShutil,
  socket: makeSocket,
  statistics: makeStatistics,
  string: makeString,
  struct: makeStruct,
  subprocess: makeSubprocess,
  tempfile: makeTempfile,
  textwrap: makeTextwrap,
  threading: makeThreading,
  traceback: makeTraceback,
  'svclang.groups': makeGroups,
  'unittest.mock': makeUnittestMock,
  'urllib.error': makeUrllibError,
  'urllib.parse': makeUrllibParse,
  'urllib.request': makeUrllibRequest,
  urllib: makeUrllib,
  warnings: makeWarnings,
  array: makeArray,
  binascii: makeBinascii,
  calendar: makeCalendar,
  concurrent: () => ({ futures: std('concurrent.futures') }),
  'concurrent.futures': makeFutures,
  configparser: makeConfigparser,
  contextvars: makeContextvars,
  difflib: makeDifflib,
  errno: makeErrno,
  graphlib: makeGraphlib,
  gzip: makeGzip,
  ipaddress: makeIpaddress,
  keyword: makeKeyword,
  locale: makeLocale,
  mimetypes: makeMimetypes,
  numbers: makeNumbers,
  shlex: makeShlex,
  timeit: makeTimeit,
  tomllib: makeTomllib,
  weakref: makeWeakref,
  zoneinfo: makeZoneinfo,
  zlib: makeZlib,
};

/** The rarest, and those that are large: each is read by itself, when it is named. */
const apart: Readonly<Record<string, () => Promise<Maker>>> = {
  codecs: async () => (await import('./modules/codecs.ts')).makeCodecs,
  ast: async () => (await import('./modules/ast.ts')).makeAst,
  atexit: async () => (await import('./modules/atexit.ts')).makeAtexit,
  gc: async () => (await import('./modules/gc.ts')).makeGc,
  'html.parser': async () => (await import('./modules/html/parser.ts')).makeHtmlParser,
  posixpath: async () => () => ({ ...std('os.path') }),
  stat: async () => (await import('./modules/stat.ts')).makeStat,
  importlib: async () => (await import('./modules/importlib.ts')).makeImportlib,
  'importlib.metadata': async () => (await import('./modules/importlib-metadata.ts')).makeImportlibMetadata,
  'importlib.util': async () => (await import('./modules/importlib.ts')).makeImportlibUtil,
  zipfile: async () => (await import('./modules/archives/zipfile.ts')).makeZipfile,
  unicodedata: async () => (await import('./modules/unicodedata/unicodedata.ts')).makeUnicodedata,
  'html.entities': async () => (await import('./modules/html/html.ts')).makeHtmlEntities,
  unittest: async () => (await import('./modules/unittest/unittest.ts')).makeUnittest,
  sqlite3: async () => (await import('./modules/sqlite3/sqlite3.ts')).makeSqlite3,
};

/** Modules that import by names made while the program runs. */
const takesAnyName = new Set(['builtins', 'importlib']);

/** Makers of the modules of this file, and of those with a file of their own that `names` asks for: all, for `builtins`. */
export async function readRare(names: readonly string[]): Promise<Makers[]> {
  const wanted = Object.entries(apart).filter(
    ([name]) => names.includes(name) || names.some((one) => takesAnyName.has(one)),
  );
  return [rareMakers, ...(await Promise.all(wanted.map(async ([name, read]) => ({ [name]: await read() }))))];
}
