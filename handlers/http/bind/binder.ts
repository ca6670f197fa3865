/**
 * Turns the parts of a request into the arguments of a walker or function (docs/server/requests.md#sources). For
 * requests that have nothing but a JSON body a function is generated per target, with the checks of the plain types written out.
 */

import { compileText } from '../../../base/compile-text.ts';
import type { Steps } from '../../../base/slices.ts';
import type { UploadFile } from '../../../core/files/upload-file.ts';
import { type ProblemType, refuseProblems } from '../../../core/problems.ts';
import { isFloatPlace } from '../../../library/classes/float-places.ts';
import type { TypeRef } from '../../../library/classes/spec.ts';
import { boxed } from '../../../library/values/numbers/float-box.ts';
import { memberOf } from '../body/json-reader.ts';
import type { JsonObject } from '../body/read-json.ts';
import type { MultipartForm } from '../body/read-multipart.ts';
import type { QueryValues } from '../body/read-query.ts';
import { makePlace, type Place, refuse, refused } from './place.ts';
import { type Coerce, hasSteps } from './scalars.ts';

/** A field of a walker or parameter of a function. */
export interface BindField {
  readonly name: string;
  readonly type: TypeRef;
  readonly coerce: Coerce;
  readonly isRequired: boolean;
  /** Never filled from requests. */
  readonly isHidden: boolean;
  /** `UploadFile`, `list[UploadFile]`. */
  readonly upload: 'one' | 'list' | undefined;
}

/** Sources of values in a request. Absent sources are undefined. */
export interface BindSources {
  readonly pathNames: readonly string[];
  readonly pathValues: readonly string[];
  readonly query: QueryValues | undefined;
  readonly body: JsonObject | undefined;
  /** Text and file parts in place of a JSON body. */
  readonly form: Pick<MultipartForm, 'texts' | 'files' | 'problems'> | undefined;
}

export interface Binder {
  /**
   * One value per field in order, `undefined` where nothing was given.
   *
   * @throws Failure `VALIDATION_ERROR` with every problem
   */
  bind(sources: BindSources, place?: Place): unknown[];
  /** The same in steps, for long requests. */
  steps(sources: BindSources, place: Place): Steps<unknown[]>;
  /** The same for a request whose only source is a JSON body. */
  bindBody(body: JsonObject): unknown[];
}

/** Prepares the binding of one target. `missingAt` is where a field is looked for when it is nowhere: `query` or `body`. */
export function makeBinder(fields: readonly BindField[], missingAt: 'query' | 'body', maxJsonDepth: number): Binder {
  const bindBodySlowly = (body: JsonObject) => bindFrom({ ...noSources, body }, makePlace(maxJsonDepth));
  const bindFrom = (sources: BindSources, place: Place) => {
    const values = fields.map((field) => bindField(field, sources, missingAt, place));
    refuseProblems(place.problems);
    return values;
  };
  function* steps(sources: BindSources, place: Place): Steps<unknown[]> {
    const values: unknown[] = [];
    for (const field of fields) {
      const given = field.isHidden || field.upload !== undefined ? undefined : findGiven(field, sources, place);
      values.push(
        given === undefined ? bindField(field, sources, missingAt, place) : yield* coerceInSteps(field, given, place),
      );
    }
    refuseProblems(place.problems);
    return values;
  }
  const binder: { -readonly [K in keyof Binder]: Binder[K] } = {
    bind: (sources, place = makePlace(maxJsonDepth)) => bindFrom(sources, place),
    steps,
    // Not before the first call: a program has many targets.
    bindBody(body) {
      binder.bindBody = generateBodyBinder(fields, maxJsonDepth, bindBodySlowly);
      return binder.bindBody(body);
    },
  };
  return binder;
}

/** Sources of a request that brings nothing. */
export const noSources: BindSources = {
  pathNames: [],
  pathValues: [],
  query: undefined,
  body: undefined,
  form: undefined,
};

/** A value as the request brought it. */
interface Given {
  readonly source: 'path' | 'query' | 'body';
  readonly value: unknown;
  readonly isText: boolean;
}

function bindField(field: BindField, sources: BindSources, missingAt: 'query' | 'body', place: Place): unknown {
  if (field.isHidden) return undefined;
  if (field.upload !== undefined && !sources.pathNames.includes(field.name))
    return bindUpload(field, field.upload, sources, place);
  const given = findGiven(field, sources, place);
  if (given !== undefined) {
    enter(field, given, place);
    return leave(field.coerce(given.value, place), place);
  }
  if (!field.isRequired) return undefined;
  place.path.push(missingAt, field.name);
  return leave(refuse(place, 'missing'), place);
}

function* coerceInSteps(field: BindField, given: Given, place: Place): Steps<unknown> {
  const { coerce } = field;
  enter(field, given, place);
  const { value } = given;
  return leave(hasSteps(coerce, value, place) ? yield* coerce.steps(value, place) : coerce(value, place), place);
}

/** Finds a field's value, in the order of docs/server/requests.md#sources. */
function findGiven(
  { name }: BindField,
  { pathNames, pathValues, query, form, body }: BindSources,
  { large }: Place,
): Given | undefined {
  const at = pathNames.indexOf(name);
  if (at >= 0) return { source: 'path', value: pathValues[at], isText: true };
  const inQuery = query?.get(name);
  if (inQuery !== undefined) return { source: 'query', value: inQuery, isText: true };
  const inForm = form?.texts.get(name);
  if (inForm !== undefined) return { source: 'body', value: inForm, isText: true };
  const value = body === undefined ? undefined : memberOf(body, name, large);
  return value === undefined ? undefined : { source: 'body', value, isText: false };
}

function enter({ name }: BindField, { source, isText }: Given, place: Place): void {
  place.path.push(source, name);
  place.isText = isText;
}

function leave(result: unknown, place: Place): unknown {
  place.path.length = 0;
  place.isText = false;
  return result;
}

function bindUpload(field: BindField, kind: 'one' | 'list', { form }: BindSources, place: Place): unknown {
  place.path.push('body', field.name);
  const problem = form?.problems.get(field.name);
  const files = form?.files.get(field.name) ?? [];
  // A call that runs again reads its files from the start.
  for (const file of files) file.file.$rewind();
  let result: unknown;
  if (problem !== undefined) result = refuse(place, problem as ProblemType);
  else if (files.length === 0) result = field.isRequired ? refuse(place, 'file_required') : undefined;
  else result = kind === 'list' ? [...files] : (files.at(-1) as UploadFile);
  return leave(result, place);
}

/** Checks written out for the types whose usual values pass as they are; `v` is the value. */
const plainChecks: Readonly<Record<string, string>> = {
  str: "typeof v === 'string'",
  int: "typeof v === 'number' && Number.isSafeInteger(v)",
  float: "typeof v === 'number'",
  bool: "typeof v === 'boolean'",
};

// Properties that every object has: only an own one is a field of the request.
const inherited = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * `(body) => values` in straight-line code. A value that does not pass at once sends the whole body to the slow path, which converts
 * and collects the problems.
 */
function generateBodyBinder(
  fields: readonly BindField[],
  maxJsonDepth: number,
  slow: (body: JsonObject) => unknown[],
): (body: JsonObject) => unknown[] {
  if (fields.some((field) => field.upload !== undefined)) return slow;
  const lines = fields.map((field, i) => {
    if (field.isHidden) return `const v${i} = undefined;`;
    const name = JSON.stringify(field.name);
    const read = inherited.has(field.name)
      ? `Object.hasOwn(body, ${name}) ? body[${name}] : undefined`
      : `body[${name}]`;
    const check = plainChecks[field.type.t]?.replaceAll(' v ', ` v${i} `).replaceAll('(v)', `(v${i})`);
    const absent = field.isRequired ? '' : `v${i} !== undefined && `;
    const box = isFloatPlace(field.type) ? ` v${i} = boxed(v${i});` : '';
    if (check !== undefined) return `let v${i} = ${read}; if (${absent}!(${check})) return slow(body);${box}`;
    const coerce = `(path.length = 2, path[1] = ${name}, v${i} = coerce[${i}](v${i}, place)) === refused`;
    return `let v${i} = ${read}; if (v${i} === undefined ? ${field.isRequired} : ${coerce}) return slow(body);`;
  });
  const source = `const path = place.path; return (body) => { path[0] = 'body'; ${lines.join('\n')} return [${fields.map((_, i) => `v${i}`).join(', ')}]; };`;
  const scope = {
    boxed,
    slow: startAfresh,
    refused,
    place: makePlace(maxJsonDepth),
    coerce: fields.map((field) => field.coerce),
  };
  return compileText<(body: JsonObject) => unknown[]>(scope, source) ?? slow;

  // The shared place has seen a problem; the slow path has one of its own.
  function startAfresh(body: JsonObject): unknown[] {
    scope.place.problems.listed.length = 0;
    scope.place.problems.count = 0;
    scope.place.path.length = 0;
    scope.place.isText = false;
    scope.place.isExact = false;
    return slow(body);
  }
}
