/**
 * Statements that one connection asks together, as a query of the driver's: it keeps their order, and says which answer is whose (decisions/0825). Its own
 * queries describe each result, which nobody reads here, and end each statement by itself.
 */
import type { Client, Connection } from 'pg';

type Cells = readonly (string | null)[];

/** One statement of those. */
export interface Part {
  /** Name under which it is prepared; '' for one that has none. */
  readonly name: string;
  /** Text of the statement, where it is to be prepared first. */
  readonly text: string | undefined;
  readonly values: readonly (string | number | boolean | null)[];
}

export interface Answered {
  /** Rows of each statement, columns as text: nothing is parsed that is not wanted. */
  readonly rows: readonly (readonly Cells[])[];
  /** Name of what the last one has done: `COMMIT`, `ROLLBACK`, … */
  readonly command: string;
}

export type Asking = (parts: readonly Part[], done: (error: Error | undefined, answered: Answered) => void) => void;

/** Sends statements as one piece, and calls once with what comes back up to their end: an error of one is that of all from there on. */
export function createAsking(driver: typeof import('pg'), client: Client): Asking {
  // With pipelining the driver takes none but its own queries: others might leave a portal open, which these do not.
  Object.setPrototypeOf(
    Query.prototype,
    (driver as unknown as { readonly Query: { prototype: object } }).Query.prototype,
  );
  return (parts, done) => void client.query(new Query(parts, done) as never);
}

/** Messages that the driver's connection writes, which its types leave out. */
interface Writing extends Pick<Connection, 'stream'> {
  close(what: { readonly type: 'S'; readonly name: string }): void;
  parse(what: { readonly name: string; readonly text: string }): void;
  bind(what: {
    readonly statement: string;
    readonly values: Part['values'];
    readonly valueMapper: typeof textOf;
  }): void;
  execute(): void;
  sync(): void;
}

const textOf = (value: Part['values'][number]): string | null => (value === null ? null : String(value));

class Query {
  private readonly parts: readonly Part[];
  /** Called by the driver too. It also looks at `rows`, `name` and `text`, of which there are none. */
  callback: (error: Error | undefined, answered: Answered) => void;
  private readonly answers: (readonly Cells[])[] = [];
  private given: Cells[] = [];
  private command = '';

  constructor(parts: readonly Part[], callback: (error: Error | undefined, answered: Answered) => void) {
    this.parts = parts;
    this.callback = callback;
  }

  submit(connection: Writing): null {
    connection.stream.cork();
    try {
      for (const { name, text, values } of this.parts) {
        if (text !== undefined) {
          if (name !== '') connection.close({ type: 'S', name }); // an attempt that failed may have left it
          connection.parse({ name, text });
        }
        connection.bind({ statement: name, values, valueMapper: textOf });
        connection.execute();
      }
      connection.sync();
    } catch (error) {
      connection.stream.destroy(error as Error); // half of it must not be taken for the beginning of what comes next
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  handleDataRow({ fields }: { readonly fields: Cells }): void {
    this.given.push(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.answers.push(this.given);
    this.given = [];
    this.command = text;
  }

  handleError(error: Error): void {
    this.callback(error, { rows: [], command: '' });
  }

  handleReadyForQuery(): void {
    this.callback(undefined, { rows: this.answers, command: this.command });
  }
}
