/**
 * First step of a call: reads the body, binds the fields, finds the node and the idempotency key (docs/server/endpoints.md#order).
 * Called by `handlers/app.ts` as `Route.serve`, once per request; `../build-routes.ts` makes the routes. Next: `answer.ts`.
 */

import { after } from '../../../base/after.ts';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { atOnce, inSlices } from '../../../base/slices.ts';
import type { Problems } from '../../../core/problems.ts';
import type { Call, Reply } from '../../call.ts';
import type { Route } from '../../routes.ts';
import { bindField, mayReferTo, type ServedTarget } from '../../served-targets.ts';
import { type Binder, makeBinder } from '../bind/binder.ts';
import { type Place, refuse } from '../bind/place.ts';
import { hexId } from '../bind/scalars.ts';
import { placeFor, unsafeBody } from '../bind-long.ts';
import { type BodyRule, bodyKind } from '../body/media-type.ts';
import { readBody, readEncodedStream } from '../body/read-body.ts';
import { decodeUtf8, type JsonObject, parseJsonObject } from '../body/read-json.ts';
import { type BodyLimits, looksLikeJson, parseBody, readJsonBody } from '../body/read-json-body.ts';
import type { MultipartForm, UploadLimits } from '../body/read-multipart.ts';
import { parseQuery, type QueryValues } from '../body/read-query.ts';
import { whenBodyEnds } from '../body/when-body-ends.ts';
import type { Exchange } from '../exchange.ts';
import { tellUnknown } from '../tell-unknown.ts';
import { fingerprintOf, type Idempotency } from './idempotency.ts';
import type { RunRequest, RunTarget } from './types.ts';
import type { CreateFindUnknown } from './unknown-fields.ts';

export interface TargetRouteParts {
  readonly limits: BodyLimits & UploadLimits;
  readonly idempotency: Idempotency;
  readonly run: RunTarget;
  /** Members that no field takes are named in the answer (development). */
  readonly createFindUnknown: CreateFindUnknown | undefined;
}

export interface TargetPlace {
  readonly method: string;
  readonly template: string;
  /** The last path parameter is the node to spawn on. */
  readonly onNode: boolean;
}

/** Sources of the values of one request. */
interface Input {
  readonly body: JsonObject | undefined;
  readonly form: Pick<MultipartForm, 'texts' | 'files' | 'problems'> | undefined;
}

/** Values that one request gave for the fields of its target. */
type BoundCall = Pick<RunRequest, 'args' | 'bind' | 'bindBytes' | 'nodeId' | 'notes'>;

/** Makes the route of a target at one method and path. Everything that does not depend on the request is worked out here. */
export function makeTargetRoute(target: ServedTarget, place: TargetPlace, parts: TargetRouteParts): Route {
  const { limits } = parts;
  const { method } = place;
  const fields = target.fields.map(bindField);
  const readsQuery =
    method === 'GET' || method === 'DELETE' || target.queryFields === 'all' || target.queryFields.length > 0;
  const hasBody = method !== 'GET';
  const binder = makeBinder(fields, method === 'GET' ? 'query' : 'body', limits.maxJsonDepth);
  const pathNames = [...place.template.matchAll(/\{([^}]*)\}/g)].map((match) => match[1]!);
  const fieldNames = place.onNode ? pathNames.slice(0, -1) : pathNames;
  const takesNode = target.kind === 'walker' && !place.onNode && !target.fields.some((field) => field.name === 'nd');
  const uploads = fields.filter((field) => field.upload !== undefined);
  const fileFields = new Set(uploads.map(({ name }) => name));
  const rule: BodyRule =
    uploads.length === 0 ? 'json' : uploads.some((field) => field.isRequired) ? 'files' : 'json-or-files';
  const mayRefer = target.fields.some((field) => !field.isHidden && mayReferTo(field.type));
  const isPlain = fieldNames.length === 0 && !readsQuery && uploads.length === 0;
  const bindBytes = (bytes: Uint8Array) => binder.bindBody(parseJsonObject(bytes, limits.maxJsonDepth));
  const findUnknown = hasBody ? parts.createFindUnknown?.(target.fields) : undefined;

  return {
    template: place.template,
    auth: target.isPublic ? 'optional' : 'bearer',
    isQuiet: false,
    target: target.name,
    takesKeys: true,
    maxBodyBytes(call) {
      if (!hasBody) return Number.POSITIVE_INFINITY;
      return rule !== 'json' && isMultipart(call) ? limits.maxUploadBytes : limits.maxBodyBytes;
    },
    serve(exchange) {
      if (!hasBody) return bound(exchange, noInput);
      if (rule !== 'json') return serveWithFiles(exchange);
      let body: MaybePromise<JsonObject>;
      try {
        body = readJsonBody(exchange, limits);
      } catch (error) {
        return withUnsafe(exchange, error);
      }
      return withBody(exchange, body);
    },
  };

  function withBody(exchange: Exchange, body: MaybePromise<JsonObject>): MaybePromise<Reply> {
    return body instanceof Promise
      ? body.then(
          (ready) => bound(exchange, { body: ready, form: undefined }),
          (error) => withUnsafe(exchange, error),
        )
      : bound(exchange, { body, form: undefined });
  }

  /** Goes on with a body whose integers are too large: what else is wrong is told with them. */
  function withUnsafe(exchange: Exchange, error: unknown): MaybePromise<Reply> {
    const { body, noted } = unsafeBody(error);
    return bound(exchange, { body, form: undefined }, noted);
  }

  function bound(exchange: Exchange, input: Input, noted?: Readonly<Problems>): MaybePromise<Reply> {
    if (findUnknown === undefined) return bindAndRun(exchange, input, noted, undefined);
    const unknown = findUnknown(input.body, input.form, exchange.large?.large);
    if (unknown === undefined) return bindAndRun(exchange, input, noted, undefined);
    return tellUnknown(unknown, () => bindAndRun(exchange, input, noted, unknown));
  }

  function bindAndRun(
    exchange: Exchange,
    input: Input,
    noted: Readonly<Problems> | undefined,
    notes: readonly string[] | undefined,
  ): MaybePromise<Reply> {
    const { query } = exchange.call;
    const isLong = exchange.large !== undefined || input.form !== undefined;
    if (isPlain && !place.onNode && (query === '' || !takesNode) && !isLong && noted === undefined) {
      const bind = bindsBody(binder, input.body!);
      return run(exchange, input, {
        args: bind(),
        bind,
        bindBytes: hasBody ? bindBytes : undefined,
        nodeId: undefined,
        notes,
      });
    }
    const first = placeFor(exchange, limits, noted);
    const values = query === '' ? undefined : parseQuery(query);
    const nodeId = place.onNode
      ? readNodeId('path', exchange.params.at(-1)!, first)
      : takesNode
        ? nodeFromQuery(values, first)
        : undefined;
    const sources = {
      pathNames: fieldNames,
      pathValues: exchange.params,
      query: readsQuery ? queryFor(values, method, target) : undefined,
      body: input.body,
      form: input.form,
    };
    const steps = (into: Place) => binder.steps(sources, into);
    const bind = () => atOnce(steps(placeFor(exchange, limits, undefined)));
    if (!isLong) return run(exchange, input, { args: binder.bind(sources, first), bind, nodeId, notes });
    return inSlices(limits.slices, steps(first)).then((args) => run(exchange, input, { args, bind, nodeId, notes }));
  }

  function run(exchange: Exchange, input: Input, bound: BoundCall): MaybePromise<Reply> {
    const key =
      exchange.call.header('idempotency-key') === undefined || method === 'GET'
        ? undefined
        : parts.idempotency.keyOf(exchange);
    const { args, bind, bindBytes, nodeId, notes } = bound;
    if (key === undefined)
      return parts.run({ exchange, target, args, bind, bindBytes, nodeId, mayRefer, claim: undefined, notes });
    const owner = exchange.caller!.userId!;
    const fingerprint = fingerprintOf(exchange, exchange.body ?? formFingerprint(input));
    return parts.idempotency.once(
      exchange,
      { key, owner, target: `${target.kind}:${target.name}`, fingerprint },
      (claim) => parts.run({ exchange, target, args, bind, bindBytes, nodeId, mayRefer, claim, notes }),
    );
  }

  function serveWithFiles(exchange: Exchange): MaybePromise<Reply> {
    const { call } = exchange;
    const kind = bodyKind(call.header('content-type'), rule);
    if (kind === 'multipart') return serveMultipart(exchange);
    return after(readBody(call, limits.maxBodyBytes), (bytes) => {
      exchange.bytesIn = bytes.length;
      exchange.body = bytes;
      if (kind === 'form' && bytes.length > 0 && !looksLikeJson(bytes)) {
        const form = { texts: parseQuery(decodeUtf8(bytes)), files: noFiles, problems: noFiles };
        return bound(exchange, { body: undefined, form });
      }
      if (rule === 'files') return bound(exchange, { body: undefined, form: undefined });
      try {
        return withBody(exchange, parseBody(exchange, bytes, limits));
      } catch (error) {
        return withUnsafe(exchange, error);
      }
    });
  }

  async function serveMultipart(exchange: Exchange): Promise<Reply> {
    const { call } = exchange;
    const { readMultipart } = await import('../body/read-multipart.ts');
    const form = await readMultipart(readEncodedStream(call), call.header('content-type')!, limits, fileFields);
    exchange.bytesIn = call.contentLength ?? 0;
    try {
      return whenBodyEnds(await bound(exchange, { body: undefined, form }), form.dispose);
    } catch (error) {
      form.dispose();
      throw error;
    }
  }
}

/** Made outside of what handles the request, so that whoever keeps it keeps nothing else of that. */
function bindsBody(binder: Binder, body: JsonObject): () => unknown[] {
  return () => binder.bindBody(body);
}

const noInput: Input = { body: undefined, form: undefined };
const noFiles: ReadonlyMap<string, never> = new Map<string, never>();

/** Query values that may fill fields: all of them, or those an older program asked for. */
function queryFor(values: QueryValues | undefined, method: string, target: ServedTarget): QueryValues | undefined {
  const { queryFields } = target;
  if (values === undefined) return undefined;
  // A field named `nd` is bound from the body only.
  const isOpen = method === 'GET' || method === 'DELETE' || queryFields === 'all';
  return new Map([...values].filter(([name]) => name !== 'nd' && (isOpen || queryFields.includes(name))));
}

function nodeFromQuery(values: QueryValues | undefined, place: Place): string | undefined {
  const given = values?.get('nd')?.at(-1);
  return given === undefined ? undefined : readNodeId('query', given, place);
}

/** `root`, a dashed UUID or 32 hexadecimal digits. */
function readNodeId(source: string, text: string, place: Place): string | undefined {
  if (text === 'root') return undefined;
  const id = hexId(text);
  if (id !== undefined) return id;
  place.path.push(source, 'nd');
  refuse(place, 'uuid_parsing');
  place.path.length = 0;
  return undefined;
}

function isMultipart(call: Call): boolean {
  return /^\s*multipart\/form-data/i.test(call.header('content-type') ?? '');
}

/**
 * Makes the fingerprint of a multipart request, whose body is not kept: its texts, and name, size and type of its
 * files.
 */
function formFingerprint({ form }: Input): string {
  if (form === undefined) return '';
  const files = [...form.files].map(([name, list]) => [
    name,
    list.map((file) => [file.filename, file.content_type, file.size]),
  ]);
  return JSON.stringify([[...form.texts], files]);
}
