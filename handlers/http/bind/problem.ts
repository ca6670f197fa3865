/** One thing that is wrong with a request's fields (server.md 6.5). The value itself is never repeated. */
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
