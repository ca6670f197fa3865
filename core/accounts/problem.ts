import { Failure } from '../errors.ts';

/** One entry of a 422 answer (server.md 6.5). `loc` starts with the part of the request. */
export interface Problem {
  readonly loc: readonly (string | number)[];
  readonly type:
    | 'missing'
    | 'string_type'
    | 'string_too_short'
    | 'string_too_long'
    | 'dict_type'
    | 'list_type'
    | 'int_type'
    | 'int_parsing'
    | 'uuid_parsing'
    | 'greater_than_equal'
    | 'less_than_equal'
    | 'bool_type'
    | 'enum'
    | 'value_error';
  readonly msg: string;
}

/** @throws Failure `VALIDATION_ERROR` listing all problems, when there are any. */
export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const first = problems[0] as Problem;
  const rest = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`;
  throw new Failure('VALIDATION_ERROR', `${first.loc.slice(1).join('.') || 'body'}: ${first.msg}${rest}`, {
    details: problems,
  });
}
