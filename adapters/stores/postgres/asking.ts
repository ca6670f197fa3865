/** Statements that one connection asks together, as the driver takes a query: it keeps their order, and says which answer is whose (decisions/0825). */
import type { Client } from 'pg';

type Cells = readonly (string | null)[];

export interface Answered {
  /** Rows of each statement. */
  readonly rows: readonly (readonly Cells[])[];
  /** Name of what the last one has done: `COMMIT`, `ROLLBACK`, … */
  readonly command: string;
}

export type Asking = (bytes: Buffer, done: (error: Error | undefined, answered: Answered) => void) => void;

/** Sends bytes and calls once with what comes back up to their end. */
export function createAsking(driver: typeof import('pg'), client: Client): Asking {
  // The driver takes none but its own queries; what makes those slow is what they do with a text, which these do not have.
  Object.setPrototypeOf(
    Query.prototype,
    (driver as unknown as { readonly Query: { prototype: object } }).Query.prototype,
  );
  return (bytes, done) => void client.query(new Query(bytes, done) as never);
}

class Query {
  readonly bytes: Buffer;
  /** The driver looks at this name and at `rows`, `name`, `text`, of which there are none. */
  callback: (error: Error | undefined, answered: Answered) => void;
  private readonly answers: (readonly Cells[])[] = [];
  private given: Cells[] = [];
  private command = '';

  constructor(bytes: Buffer, callback: (error: Error | undefined, answered: Answered) => void) {
    this.bytes = bytes;
    this.callback = callback;
  }

  submit({ stream }: { readonly stream: { write(bytes: Buffer): boolean } }): null {
    stream.write(this.bytes);
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
