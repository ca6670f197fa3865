/**
 * The document database of a test: with `SVC_TEST_MONGO` a real server at that address, or the program of that path, which keeps its data in
 * WiredTiger (decisions/0770); else the server of the tests. Says which. Programs under test do not read that variable.
 */
import { type DocumentServer, type MongoServer, type MongoServerOptions, startMongo } from './mongo-server.ts';
import { startSecantus } from './secantus.ts';

export interface DocumentDatabase extends AsyncDisposable {
  readonly uri: string;
  /** Absent with another server, which cannot be told to fail. */
  readonly emulation: MongoServer | undefined;
}

const given = process.env['SVC_TEST_MONGO'] ?? '';
const isAddress = /^mongodb(\+srv)?:/.test(given);

export const isEmulated = given === '';

/** Tells whether a session for reading keeps to the moment of its first answer. */
export const holdsMoments = isEmulated || isAddress;

export async function openDocumentDatabase(options?: MongoServerOptions): Promise<DocumentDatabase> {
  if (isAddress) {
    console.info(`document database: the real server at ${new URL(given).host} (SVC_TEST_MONGO)`);
    return { uri: given, emulation: undefined, async [Symbol.asyncDispose]() {} };
  }
  const server = await startDocumentServer(options);
  const emulation = 'commands' in server ? (server as MongoServer) : undefined;
  return { uri: server.uri, emulation, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** `options` are for the server of the tests alone. A real server at an address is not used: others may need it. */
export async function startDocumentServer(options?: MongoServerOptions): Promise<DocumentServer> {
  if (!isEmulated && !isAddress) {
    console.info(`document database: ${given} over WiredTiger (SVC_TEST_MONGO)`);
    return startSecantus(given);
  }
  console.info('document database: emulation (OP_MSG server of the tests)');
  return startMongo(options);
}
