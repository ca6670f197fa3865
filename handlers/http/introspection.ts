import { cutText } from '../../base/cut-text.ts';
import { Failure } from '../../core/errors.ts';
import { mostListed } from '../../core/problems.ts';
import { writtenType } from '../../library/classes/written-type.ts';
import type { AuthNeed, FixedRoute } from '../routes.ts';
import type { ServedTarget } from '../served-targets.ts';
import { plainText } from './serialize/plain-text.ts';

/**
 * `GET /walkers`, `/functions`, `/walker/{name}`, `/function/{name}` (docs/server/inspection.md#introspection), for
 * those paths nothing else is served at.
 */
export function introspectionRoutes(targets: readonly ServedTarget[], auth: AuthNeed): readonly FixedRoute[] {
  const named = (kind: ServedTarget['kind']) => targets.filter((target) => target.kind === kind);
  const shared = { method: 'GET', auth } as const;
  const list = (kind: ServedTarget['kind'], tag: string): FixedRoute => ({
    ...shared,
    template: `/${kind}s`,
    tag,
    operationId: `${kind}_list`,
    summary: `Names of the served ${kind}s`,
    run: () => ({ [`${kind}s`]: named(kind).map((target) => target.name) }),
  });
  const one = (target: ServedTarget): FixedRoute => ({
    ...shared,
    template: `/${target.kind}/${target.name}`,
    tag: target.kind === 'walker' ? 'Walkers' : 'Functions',
    operationId: '',
    run: () => (target.kind === 'walker' ? describeWalker(target) : describeFunction(target)),
  });
  return [list('walker', 'Walkers'), list('function', 'Functions'), ...targets.map(one)];
}

function describeWalker(target: ServedTarget): Readonly<Record<string, unknown>> {
  const { access, rest, isAsync, doc, path } = target;
  const fields = fieldsOf(target);
  const { protocol, broadcast } = rest;
  return {
    name: target.name,
    info: { access, protocol, method: target.methods[0], path, async: isAsync, broadcast, doc, fields },
  };
}

function describeFunction(target: ServedTarget): Readonly<Record<string, unknown>> {
  const { access, path } = target;
  const returnType = writtenType(target.spec!.result);
  return {
    name: target.name,
    signature: { access, method: target.methods[0], path, parameters: fieldsOf(target), return_type: returnType },
  };
}

function fieldsOf(target: ServedTarget): Readonly<Record<string, unknown>> {
  const shown = target.fields.filter((field) => !field.isHidden);
  return Object.fromEntries(
    shown.map((field) => [
      field.name,
      {
        type: writtenType(field.type),
        required: field.isRequired,
        default: field.isRequired ? null : JSON.parse(plainText(field.default)),
      },
    ]),
  );
}

const longestName = 100;

/** 404 for a walker or function nobody knows; in development with the names there are. */
export function unknownTarget(
  kind: string,
  name: string,
  names: readonly string[],
  {
    nearest,
    tellsNames,
    hint,
  }: { readonly nearest: string | undefined; readonly tellsNames: boolean; readonly hint?: string | undefined },
): Failure {
  const text = `No ${kind} named ${cutText(name, longestName)}.`;
  if (!tellsNames) return new Failure('NOT_FOUND', text);
  const details = { available: names.slice(0, mostListed) };
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return new Failure('NOT_FOUND', `${text}${meant}`, { details, ...(hint === undefined ? {} : { hint }) });
}

/** 404 in development for a function of the program that is not served. */
export function internalFunction(name: string): Failure {
  const how = 'Functions marked `:pub` (no token) or `:protect` (token) are endpoints.';
  return new Failure('NOT_FOUND', `Function ${name} is internal. ${how}`);
}
