/** A recorded call as JSON, without what nobody should read (docs/guide/stories.md#what-is-left-out). */
import { levelName } from '../../../core/access/rules.ts';
import type { Redactor } from '../../../core/log/redact.ts';
import type { StoredType } from '../../../core/memory/rows.ts';
import type { Runtime } from '../../../core/memory/runtime.ts';
import { edgesText, filterText } from '../../../core/story/hop-text.ts';
import type { Place } from '../../../core/story/teller.ts';
import type { ClassMeta } from '../../../library/classes/meta.ts';
import { plainText } from '../serialize/plain-text.ts';
import type { Changes } from './changes.ts';
import type { Step, Story } from './story.ts';
import type { RecordedCall } from './story-book.ts';

export interface StoryDeps {
  readonly runtime: Pick<Runtime, 'types' | 'store'>;
  readonly redactor: Redactor;
}

/** A story as `GET /studio/api/stories/{id}` answers it. */
export interface ToldStory extends StoryHead {
  readonly request: Readonly<Record<string, unknown>>;
  readonly attempts: readonly { readonly conflict: readonly unknown[] | null }[];
  readonly steps: readonly ToldStep[];
  readonly reports: unknown;
  readonly error: unknown;
  readonly truncated: boolean;
}

/** A story as a list shows it. */
export interface StoryHead {
  readonly id: string;
  readonly at: string;
  readonly target: string;
  /** `run_by`: account that had the call run as this user, null for whoever sat at the machine. */
  readonly caller: { readonly kind: string; readonly user_id: string | null; readonly run_by?: string | null };
  readonly status: number | null;
  readonly duration_ms: number | null;
}

export interface ToldStep {
  readonly kind: Step['kind'];
  readonly at_ms: number;
  readonly file: string | null;
  readonly line: number | null;
  /** Name of the ability or function. */
  readonly in: string;
  /** Walks around the one it happened in. */
  readonly depth: number;
  readonly [more: string]: unknown;
}

/** Greatest size of a story in characters of JSON. */
const mostCharacters = 65_536;
/** Characters of one text that are shown. */
const mostText = 2000;
const hidden = '[redacted]';

/** @param story another one than the call's own: that of a replay */
export function headOf(call: RecordedCall, story: Story = call): StoryHead {
  const { id, target, caller } = call;
  return {
    id,
    at: new Date(story.atMs).toISOString(),
    target: `${target.kind} ${target.name}`,
    caller: { kind: caller.kind, user_id: caller.userId, ...(caller.runBy !== undefined && { run_by: caller.runBy }) },
    status: story.status ?? null,
    duration_ms: story.durationMs === undefined ? null : thousandths(story.durationMs),
  };
}

/** @param story another one than the call's own: that of a replay */
export function tellStory(call: RecordedCall, deps: StoryDeps, story: Story = call): ToldStory {
  const answer = answerOf(story, deps);
  const { steps, isCut } = stepsOf(story, answer?.reports, deps);
  return {
    ...headOf(call, story),
    request: requestOf(call, deps),
    attempts: attemptsOf(story),
    steps,
    reports: answer?.reports ?? [],
    error: answer?.error ?? (story.errorCode === undefined ? null : { code: story.errorCode }),
    truncated: story.isTruncated || story.isCut || isCut,
  };
}

/** The steps of a story that belongs to no request: of `svc run --story`, of a test. `reports`: in JSON form. */
export function tellSteps(story: Story, reports: readonly unknown[] | undefined, deps: StoryDeps) {
  const { steps, isCut } = stepsOf(story, reports, deps);
  return { attempts: attemptsOf(story), steps, truncated: story.isTruncated || isCut };
}

/** Writes of a call, as its story tells them. */
export function tellChanges(story: Story, deps: StoryDeps): readonly ToldStep[] {
  return stepsOf(story, undefined, deps).steps.filter(({ kind }) => kind === 'write');
}

function attemptsOf({ lostAbout = [] }: Story): ToldStory['attempts'] {
  const lost = lostAbout.map((places) => ({
    conflict: places.map((place) => ({ id: place.uid, class: place.type.name })),
  }));
  return [...lost, { conflict: null }];
}

function requestOf(call: RecordedCall, deps: StoryDeps): Readonly<Record<string, unknown>> {
  const { method, path, contentType, userAgent } = call;
  return {
    method,
    path: deps.redactor.text(path),
    content_type: contentType ?? null,
    user_agent: userAgent === undefined ? null : deps.redactor.text(userAgent),
    fields: fieldsOf(call, deps),
  };
}

function fieldsOf(call: RecordedCall, deps: StoryDeps): unknown {
  try {
    const values = call.bind();
    const given = call.target.fields.map(
      ({ name, isHidden }, i) => [name, isHidden ? hidden : shown(values[i])] as const,
    );
    return clean('', Object.fromEntries(given.filter(([, value]) => value !== undefined)), deps);
  } catch {
    return null;
  }
}

/** Reports and failure of an answer in the envelope. */
function answerOf({ answer }: Story, deps: StoryDeps): { reports: unknown; error: unknown } | undefined {
  if (answer === undefined) return undefined;
  try {
    const { data, error } = JSON.parse(answer) as { data?: any; error?: any };
    return {
      reports: clean('reports', data?.reports ?? [], deps),
      error: error === undefined || error === null ? null : errorOf(error, deps),
    };
  } catch {
    return undefined;
  }
}

/** The code is ours; everything else of a failure may be what a program wrote. */
function errorOf({ code, message, details }: Readonly<Record<string, unknown>>, deps: StoryDeps): unknown {
  return { code, ...(clean('', { message, details }, deps) as object) };
}

function stepsOf(story: Story, reports: unknown, deps: StoryDeps): { steps: readonly ToldStep[]; isCut: boolean } {
  const steps: ToldStep[] = [];
  const all = story.steps;
  let left = mostCharacters;
  for (const step of all) {
    for (const told of toldSteps(step, all, reports, deps)) {
      left -= JSON.stringify(told).length;
      if (left < 0) return { steps, isCut: true };
      steps.push(told);
    }
  }
  return { steps, isCut: false };
}

function* toldSteps(step: Step, all: readonly Step[], reports: unknown, deps: StoryDeps): Iterable<ToldStep> {
  const common = commonOf(step);
  switch (step.kind) {
    case 'visit': {
      const { uid, type } = step.place as Place;
      yield { ...common, id: uid, class: type.name, walker: step.walker, ability: step.scene.name };
      return;
    }
    case 'hop':
      yield {
        ...common,
        edges: edgesText(step.path),
        filter: filterText(step.path) ?? null,
        count: step.count ?? null,
      };
      return;
    case 'read':
      yield { ...common, ...nameOf(step.row), fields: storedFields(step.row.data, step.row.type, deps) };
      return;
    case 'write':
      yield* writesOf(step, all, deps);
      return;
    case 'permission': {
      const { needed, had, rule, row } = step;
      yield { ...common, ...nameOf(row), needed: levelName(needed), had: levelName(had), rule };
      return;
    }
    case 'query':
      yield { ...common, query: step.name, rows: step.rows ?? null, ms: thousandths(step.ms), failed: step.failed };
      return;
    case 'call':
      yield { ...common, host: step.host, status: step.status ?? null, ms: thousandths(step.ms) };
      return;
    case 'log':
      yield { ...common, level: step.level, text: deps.redactor.text(withoutParameters(step.text, deps.redactor)) };
      return;
    case 'report': {
      const value = step.index >= 0 ? (reports as readonly unknown[] | undefined)?.[step.index] : step.value;
      yield { ...common, value: step.index >= 0 ? (value ?? null) : clean('', shown(value), deps) };
      return;
    }
    case 'commit':
      yield* commitOf(step, deps);
  }
}

function commonOf({ kind, atMs, scene, at, depth }: Step) {
  const place = /^(.*):(\d+):\d+$/.exec(at ?? scene.at ?? '');
  return {
    kind,
    at_ms: thousandths(atMs),
    file: place?.[1] ?? null,
    line: place === null ? null : Number(place[2]),
    in: scene.name,
    depth,
  };
}

function nameOf(row: Place): { id: string; class: string } {
  return { id: row.uid, class: row.type.name };
}

/** The change of an object that was about to change, field by field; before its commit nothing is known. */
function* writesOf(step: Step & { kind: 'write' }, all: readonly Step[], deps: StoryDeps): Iterable<ToldStep> {
  const commits = all.filter((one) => one.kind === 'commit');
  for (const { changes } of commits) {
    const changed = changes.changed.find(({ row }) => row.key === step.row.key && row.type.kind === step.row.type.kind);
    if (changed === undefined) continue;
    const before = storedFields(step.row.data, step.row.type, deps);
    const after = storedFields(changed.data, changed.row.type, deps);
    const isChanged = changedFields(step.row.data, changed.data);
    for (const field of isChanged)
      yield {
        ...commonOf(step),
        ...nameOf(step.row),
        field,
        before: before[field] ?? null,
        after: after[field] ?? null,
      };
    return;
  }
}

/** Names of the fields that differ in two stored forms. */
function changedFields(before: string, after: string): string[] {
  const [old, now] = [parsed(before), parsed(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]),
  );
}

function* commitOf(step: Step & { kind: 'commit' }, deps: StoryDeps): Iterable<ToldStep> {
  const common = { ...commonOf(step), kind: 'write' as const };
  const { created, changed, removed } = step.changes;
  for (const one of created) {
    const after = storedFields(one.data, one.type, deps);
    yield { ...common, id: createdId(one, deps), class: one.type.name, field: null, before: null, after };
  }
  for (const { row, access } of changed)
    if (access !== row.access) yield { ...common, ...nameOf(row), field: '(access rules)', before: null, after: null };
  for (const row of removed) {
    const before = storedFields(row.data, row.type, deps);
    yield { ...common, ...nameOf(row), field: null, before, after: null };
  }
  yield {
    ...commonOf(step),
    ms: step.ms === undefined ? null : thousandths(step.ms),
    created: created.length,
    changed: changed.length,
    removed: removed.length,
    failed: step.failed,
  };
}

function createdId({ uid, key, isEdge }: Changes['created'][number], { runtime }: StoryDeps): string {
  return uid !== '' || isEdge ? uid : runtime.store.nodeId(key);
}

/** Stored fields as they may be shown: those of a class that the program does not know are all hidden. */
function storedFields(data: string, type: StoredType, deps: StoryDeps): Record<string, unknown> {
  const meta = deps.runtime.types.of(type)?.meta;
  const fields = Object.entries(parsed(data)).map(([name, value]) => [
    name,
    isPublic(meta, name) ? clean(name, value, deps) : hidden,
  ]);
  return Object.fromEntries(fields);
}

function isPublic(meta: ClassMeta | undefined, name: string): boolean {
  return meta?.byName.get(name)?.isPublic === true;
}

function parsed(data: string): Record<string, unknown> {
  return data === '' ? {} : (JSON.parse(data) as Record<string, unknown>);
}

/** A value of the language in JSON form. */
export function shown(value: unknown): unknown {
  if (value === undefined) return undefined;
  try {
    return JSON.parse(plainText(value)) as unknown;
  } catch {
    return null;
  }
}

function clean(name: string, value: unknown, { redactor }: StoryDeps): unknown {
  return redactor.field(name, withoutHidden(value, redactor, 0));
}

/** Parameters of addresses whose names are those of secrets. */
function withoutParameters(text: string, redactor: Redactor): string {
  if (!text.includes('=')) return text;
  return text.replace(/([?&#;])([\w-]{1,64})=([^&#;\s"']+)/g, (whole, mark: string, name: string) =>
    redactor.field(name, 'x') === 'x' ? whole : `${mark}${name}=${hidden}`,
  );
}

/** Members with a leading `_` are private wherever they stand; long texts are cut. */
function withoutHidden(value: unknown, redactor: Redactor, depth: number): unknown {
  if (typeof value === 'string')
    return withoutParameters(value.length > mostText ? `${value.slice(0, mostText)}…` : value, redactor);
  if (typeof value !== 'object' || value === null || depth > 8) return value;
  if (Array.isArray(value)) return value.map((item) => withoutHidden(item, redactor, depth + 1));
  const members = Object.entries(value).map(([name, item]) => [
    name,
    name.startsWith('_') && !name.startsWith('_svc_') ? hidden : withoutHidden(item, redactor, depth + 1),
  ]);
  return Object.fromEntries(members);
}

/** Milliseconds to the microsecond. */
function thousandths(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
