/** The document database of a test: a real server when `DOCDB_URI` is set, else the server of the tests. Says which. */
import { type MongoServer, type MongoServerOptions, startMongo } from './mongo-server.ts';

export interface DocumentDatabase extends AsyncDisposable {
  readonly uri: string;
  /** Absent with a real server, which no test may stop. */
  readonly emulation: MongoServer | undefined;
}

export async function openDocumentDatabase(options?: MongoServerOptions): Promise<DocumentDatabase> {
  const uri = process.env['DOCDB_URI'];
  if (uri !== undefined && uri !== '') {
    console.info(`document database: the real server at ${new URL(uri).host} (DOCDB_URI)`);
    return { uri, emulation: undefined, async [Symbol.asyncDispose]() {} };
  }
  console.info('document database: emulation (OP_MSG server of the tests)');
  const emulation = await startMongo(options);
  return { uri: emulation.uri, emulation, [Symbol.asyncDispose]: () => emulation[Symbol.asyncDispose]() };
}
