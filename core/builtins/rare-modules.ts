/**
 * Standard modules that most programs do not import. They are read together, when the first program that imports one of them (or one that is
 * not known) is loaded: apart they would cost every start more in small shared files than they save.
 */
import { makeScale, makeScaleLib } from '../kvstore/module.ts';

import { makeTesting } from '../program/test-client.ts';
import type { Members } from './module.ts';
import { makeArgparse } from './modules/argparse.ts';
import { makeBisect } from './modules/bisect.ts';
import { makeContextlib } from './modules/contextlib.ts';
import { makeCsv } from './modules/csv.ts';
import { makeDecimal } from './modules/decimal.ts';
import { makeDotenv } from './modules/dotenv.ts';
import { makeFractions } from './modules/fractions.ts';
import { makeGetpass } from './modules/getpass.ts';
import { makeFnmatch, makeGlob } from './modules/glob.ts';
import { makeBase64, makeHashlib, makeHmac, makeSecrets } from './modules/hashlib.ts';
import { makeHeapq } from './modules/heapq.ts';
import { makeHtml } from './modules/html.ts';
import { makeInspect } from './modules/inspect.ts';
import { makeIo } from './modules/io.ts';
import { makeItertools } from './modules/itertools.ts';
import { makeLogging } from './modules/logging.ts';
import { makeLoggingHandlers } from './modules/logging-handlers.ts';
import { makeOperator } from './modules/operator.ts';
import { makePathlib } from './modules/pathlib.ts';
import { makePlatform } from './modules/platform.ts';
import { makePprint } from './modules/pprint.ts';
import { makeQueue } from './modules/queue.ts';
import { makeRequests } from './modules/requests.ts';
import { makeRequestsExceptions } from './modules/requests-exceptions.ts';
import { makeShutil } from './modules/shutil.ts';
import { makeSocket } from './modules/socket.ts';
import { makeStatistics } from './modules/statistics.ts';
import { makeString } from './modules/string.ts';
import { makeStruct } from './modules/struct.ts';
import { makeSubprocess } from './modules/subprocess.ts';
import { makeTempfile } from './modules/tempfile.ts';
import { makeTextwrap } from './modules/textwrap.ts';
import { makeThreading } from './modules/threading.ts';
import { makeTraceback } from './modules/traceback.ts';
import { makeUnittest, makeUnittestMock } from './modules/unittest-mock.ts';
import { makeUrllib } from './modules/urllib.ts';
import { makeUrllibError } from './modules/urllib-error.ts';
import { makeUrllibParse } from './modules/urllib-parse.ts';
import { makeUrllibRequest } from './modules/urllib-request.ts';
import { makeWarnings } from './modules/warnings.ts';
import { makeZlib } from './modules/zlib.ts';

export const rareMakers: Readonly<Record<string, () => Members>> = {
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
  'svc_scale.lib': makeScaleLib,
  svc_scale: makeScale,
  'svclang.runtimelib.testing': makeTesting,
  'unittest.mock': makeUnittestMock,
  unittest: makeUnittest,
  'urllib.error': makeUrllibError,
  'urllib.parse': makeUrllibParse,
  'urllib.request': makeUrllibRequest,
  urllib: makeUrllib,
  warnings: makeWarnings,
  zlib: makeZlib,
};
