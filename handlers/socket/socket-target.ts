import type { Problems } from '../../core/problems.ts';
import { makeBinder, noSources } from '../http/bind/binder.ts';
import { placeFor } from '../http/bind-long.ts';
import type { JsonObject } from '../http/body/read-json.ts';
import type { CreateFindUnknown, FindUnknown } from '../http/run/unknown-fields.ts';
import { bindField, mayReferTo, type ServedTarget } from '../served-targets.ts';
import { socketPaths } from './socket-paths.ts';

/** A walker or function that is talked to over sockets. */
export interface SocketTarget {
  readonly served: ServedTarget;
  /** `walker:Name` or `function:name`: what rooms and counts are kept by. */
  readonly key: string;
  /** Differs when clients of a former version would talk to something else. */
  readonly shape: string;
  declares(field: string): boolean;
  /** Bound values of a message. @throws Failure `VALIDATION_ERROR` */
  bind(fields: JsonObject, noted?: Readonly<Problems>): unknown[];
  /** Present in development. */
  readonly findUnknown: FindUnknown | undefined;
  readonly mayRefer: boolean;
}

export interface SocketTargets {
  at(path: string): SocketTarget | undefined;
  of(key: string): SocketTarget | undefined;
}

export interface TargetOptions {
  readonly maxJsonDepth: number;
  /** Members of a message that no field takes are named in the answer (development). */
  readonly createFindUnknown: CreateFindUnknown | undefined;
}

/** The socket targets of a program, by path and by key. */
export function socketTargets(targets: readonly ServedTarget[], options: TargetOptions): SocketTargets {
  const byPath = new Map<string, SocketTarget>();
  const byKey = new Map<string, SocketTarget>();
  for (const served of targets) {
    if (served.rest.protocol !== 'WEBSOCKET') continue;
    const target = makeTarget(served, options);
    byKey.set(target.key, target);
    for (const path of socketPaths(served)) byPath.set(path, target);
  }
  return { at: (path) => byPath.get(path), of: (key) => byKey.get(key) };
}

function makeTarget(served: ServedTarget, { maxJsonDepth, createFindUnknown }: TargetOptions): SocketTarget {
  const { kind, name, fields, isPublic, rest } = served;
  const binder = makeBinder(fields.map(bindField), 'body', maxJsonDepth);
  const names = new Set(fields.filter(({ isHidden }) => !isHidden).map((field) => field.name));
  return {
    served,
    key: `${kind}:${name}`,
    shape: JSON.stringify([
      isPublic,
      rest.broadcast,
      fields.map((field) => [field.name, field.type, field.isRequired]),
    ]),
    declares: (field) => names.has(field),
    bind: (values, noted) =>
      noted === undefined
        ? binder.bindBody(values)
        : binder.bind({ ...noSources, body: values }, placeFor(undefined, { maxJsonDepth }, noted)),
    findUnknown: createFindUnknown?.(fields),
    mayRefer: fields.some((field) => !field.isHidden && mayReferTo(field.type)),
  };
}
