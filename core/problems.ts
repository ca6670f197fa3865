import { cutText } from '../base/cut-text.ts';
import { Failure, type FailureOptions } from './errors.ts';

/** One thing that is wrong with a request's fields (docs/server/errors.md#validation). The value itself is never repeated. */
export interface FieldProblem {
  /** `path`, `query`, `body` or `header`, then field names and list indexes. */
  readonly loc: readonly (string | number)[];
  readonly type: ProblemType;
  readonly msg: string;
}

const texts = {
  missing: 'is required',
  string_type: 'must be a string',
  string_too_short: 'is too short',
  string_too_long: 'is too long',
  int_type: 'must be an integer',
  int_parsing: 'must be an integer',
  int_from_float: 'must be an integer, not a number with a fraction',
  number_out_of_safe_range: 'is outside the range of exact integers; send it as a string',
  float_type: 'must be a number',
  float_parsing: 'must be a number',
  bool_type: 'must be true or false',
  bool_parsing: 'must be true or false',
  list_type: 'must be a list',
  dict_type: 'must be an object',
  enum: 'is not a member of the enumeration',
  literal_error: 'is not one of the allowed values',
  date_parsing: 'must be an ISO 8601 date',
  datetime_parsing: 'must be an ISO 8601 date and time',
  time_parsing: 'must be an ISO 8601 time',
  uuid_parsing: 'must be a UUID',
  bytes_base64: 'must be base64 text',
  model_type: 'is not of the declared type',
  reference_not_found: 'refers to an object that was not found',
  none_not_allowed: 'must not be null',
  file_required: 'must be a file',
  file_too_large: 'is larger than allowed',
  too_many_files: 'has more files than allowed',
  greater_than_equal: 'is too small',
  less_than_equal: 'is too large',
  value_error: 'has a value that is not allowed',
} as const;

export type ProblemType = keyof typeof texts;

/** The usual text of a problem. */
export function problemMessage(type: ProblemType): string {
  return texts[type];
}

/** Problems of one request as they are found: the first ones are kept, all are counted. */
export interface Problems {
  readonly listed: FieldProblem[];
  count: number;
}

/** Number of problems that an answer lists (docs/server/errors.md#validation, decisions/0411). */
export const mostListed = 100;
/** Bytes that the problems of an answer have together, as JSON. The list stands in it twice. */
const mostBytes = 24_576;
const longestName = 100;
const longestLoc = 24;
const longestMsg = 300;
const longestWhere = 200;

/**
 * Refuses a request for what is wrong with it, however much that is.
 *
 * @throws Failure `VALIDATION_ERROR` that lists the first problems and counts all, when there are any
 */
export function refuseProblems(found: Problems | readonly FieldProblem[]): void {
  const all = 'listed' in found ? found : { listed: [...found], count: found.length };
  if (all.count > 0) throw new Failure('VALIDATION_ERROR', ...toldProblems(all));
}

/** Message and details of the failure that tells of problems, at most 24 KiB together. */
export function toldProblems({ listed, count }: Readonly<Problems>): [message: string, options: FailureOptions] {
  const details: FieldProblem[] = [];
  let bytes = 0;
  for (const problem of listed.slice(0, mostListed)) {
    const short = shortened(problem);
    bytes += Buffer.byteLength(JSON.stringify(short)) + 1;
    if (bytes > mostBytes) break;
    details.push(short);
  }
  const [first] = details as [FieldProblem];
  const where = cutText(first.loc.slice(1).join('.') || String(first.loc[0]), longestWhere);
  const more = count === 1 ? '' : ` (and ${count - 1} more)`;
  return [`${where} ${first.msg}${more}`, { details, ...(details.length < count ? { count } : {}) }];
}

/** At most some three thousand characters, each of six bytes at worst: one alone always fits. */
function shortened({ loc, type, msg }: FieldProblem): FieldProblem {
  const cut = (part: string | number) => (typeof part === 'string' ? cutText(part, longestName) : part);
  const parts = loc.length <= longestLoc ? loc : [...loc.slice(0, longestLoc - 2), '…', ...loc.slice(-1)];
  return { loc: parts.map(cut), type, msg: cutText(msg, longestMsg) };
}
