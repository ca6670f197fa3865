/** Prepared statements by their text. Lists of numbers are written into the text: the program asks for few different ones. */
import type { SqliteDriver, SqliteStatement } from './driver.ts';

export type Sql = (text: string) => SqliteStatement;

const keep = 500;

export function createSqlCache(db: SqliteDriver): Sql {
  let statements = new Map<string, SqliteStatement>();
  return (text) => {
    let statement = statements.get(text);
    if (statement === undefined) {
      statement = db.prepare(text);
      if (statements.size >= keep) statements = new Map([...statements].slice(keep / 2));
      statements.set(text, statement);
    }
    return statement;
  };
}
