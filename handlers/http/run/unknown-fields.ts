/**
 * Members of a request that no field takes: ignored, and told in development (docs/server/requests.md#unknown-fields),
 * because most of them are typing errors. Top-level members, and those of objects of the program wherever the declared
 * types say that one stands.
 */
import { cutText } from '../../../base/cut-text.ts';
import { didYouMean } from '../../../base/did-you-mean.ts';
import { mostListed } from '../../../core/problems.ts';
import { type ClassMeta, metaOf } from '../../../library/classes/meta.ts';
import type { TypeRef } from '../../../library/classes/spec.ts';
import type { TargetField } from '../../served-targets.ts';
import { type LargeObjects, membersOf } from '../body/json-reader.ts';
import type { MultipartForm } from '../body/read-multipart.ts';

/**
 * One sentence for each unknown member of a body or form, as many as an answer lists; undefined when there is none.
 *
 * @param large of a request that was read in slices
 */
export type FindUnknown = (
  body: Readonly<Record<string, unknown>> | undefined,
  form: Pick<MultipartForm, 'texts' | 'files'> | undefined,
  large: LargeObjects | undefined,
) => readonly string[] | undefined;

/** A field of a target or object, as far as it matters here. */
interface Known {
  readonly type: TypeRef;
  /** Objects of the program may stand in its values. */
  readonly isDeep: boolean;
}

type Fields = ReadonlyMap<string, Known>;

interface Search {
  readonly large: LargeObjects | undefined;
  /** Fields of the objects met so far. */
  readonly ofClasses: Map<object, Fields>;
  readonly found: string[];
  bytes: number;
  /** Values that are still looked into. */
  left: number;
}

const mostValues = 2000;
const mostBytes = 8192;
const longestName = 64;

export type CreateFindUnknown = typeof createFindUnknown;

export function createFindUnknown(fields: readonly TargetField[]): FindUnknown {
  const known = namedFields(fields);
  const ofClasses = new Map<object, Fields>();
  return (body, form, large) => {
    if (form === undefined && large === undefined && (body === undefined || isPlainlyKnown(body, known)))
      return undefined;
    const search: Search = { large, ofClasses, found: [], bytes: 0, left: mostValues };
    if (body !== undefined) searchObject(body, known, '', search);
    if (form !== undefined)
      for (const name of [...form.texts.keys(), ...form.files.keys()]) look(name, known, '', search);
    return search.found.length === 0 ? undefined : search.found;
  };
}

/** Most requests: every member is a field, and none holds an object of the program. */
function isPlainlyKnown(body: Readonly<Record<string, unknown>>, known: Fields): boolean {
  for (const name in body) {
    const field = known.get(name);
    if (field === undefined || (field.isDeep && typeof body[name] === 'object')) return false;
  }
  return true;
}

function namedFields(fields: readonly Pick<TargetField, 'name' | 'type' | 'isHidden'>[]): Fields {
  return new Map(
    fields.filter(({ isHidden }) => !isHidden).map(({ name, type }) => [name, { type, isDeep: mayHold(type) }]),
  );
}

function searchObject(object: object, known: Fields, path: string, search: Search): void {
  const { names, values } = membersOf(object, search.large);
  for (let i = 0; i < names.length && search.left > 0; i++) {
    const field = look(names[i]!, known, path, search);
    if (field !== undefined) searchValue(values[i], field.type, `${path}${names[i]}.`, search);
  }
}

/** The field of that name; when there is none, that is noted. */
function look(name: string, known: Fields, path: string, search: Search): Known | undefined {
  const field = known.get(name);
  if (field !== undefined || search.left <= 0 || isTag(name)) return field;
  const nearest = didYouMean(name.slice(0, longestName), known.keys());
  const hint = nearest === undefined ? '' : ` (did you mean '${nearest}'?)`;
  const text = `unknown field '${cutText(path + name, longestName)}'${hint}`;
  search.bytes += Buffer.byteLength(JSON.stringify(text));
  if (search.found.length === mostListed - 1 || search.bytes > mostBytes) {
    search.found.push('there are more unknown fields');
    search.left = 0;
  } else search.found.push(text);
  return undefined;
}

/** Tells whether a name is one that answers add to the fields of an object: an object may be sent back as it came. */
function isTag(name: string): boolean {
  return name.startsWith('_svc_') || name === '__type__' || name === '__module__';
}

function searchValue(value: unknown, type: TypeRef, path: string, search: Search): void {
  if (typeof value !== 'object' || value === null || --search.left <= 0) return;
  switch (type.t) {
    case 'list':
    case 'set':
    case 'frozenset':
    case 'iterator':
      if (Array.isArray(value) && mayHold(type.of))
        for (let i = 0; i < value.length && search.left > 0; i++)
          searchValue(value[i], type.of, `${path}${i}.`, search);
      return;
    case 'dict': {
      if (Array.isArray(value) || !mayHold(type.value)) return;
      const { names, values } = membersOf(value, search.large);
      for (let i = 0; i < names.length && search.left > 0; i++)
        searchValue(values[i], type.value, `${path}${names[i]}.`, search);
      return;
    }
    case 'union': {
      const [only, ...others] = type.of.filter(({ t }) => t !== 'none');
      if (only !== undefined && others.length === 0) searchValue(value, only, path, search);
      return;
    }
    case 'ref': {
      const meta = metaOf(type.get());
      if (Array.isArray(value) || (meta?.kind !== 'obj' && meta?.kind !== 'class')) return;
      searchObject(value, fieldsOf(meta, search), path, search);
    }
  }
}

function fieldsOf(meta: ClassMeta, { ofClasses }: Search): Fields {
  let known = ofClasses.get(meta);
  if (known === undefined) {
    known = namedFields(
      meta.params.map(({ name, type, kind }) => {
        const isVariable = kind === 'args' || kind === 'kwargs';
        const isHidden = isVariable || name.startsWith('_') || meta.byName.get(name)?.isPublic === false;
        return { name, type, isHidden };
      }),
    );
    ofClasses.set(meta, known);
  }
  return known;
}

/** Tells whether an object of the program may stand in a value of the type. */
function mayHold(type: TypeRef): boolean {
  switch (type.t) {
    case 'ref':
    case 'union':
      return true;
    case 'list':
    case 'set':
    case 'frozenset':
    case 'iterator':
      return mayHold(type.of);
    case 'dict':
      return mayHold(type.value);
    default:
      return false;
  }
}
