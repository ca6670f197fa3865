import type { ClassMeta } from '../../../library/classes/meta.ts';
import type { ParamSpec } from '../../../library/classes/spec.ts';
import { memberOf } from '../body/json-reader.ts';
import { coerceObjectLiteral, objectLiteralInSteps } from './containers.ts';
import { ObjectDraft, ReferenceDraft } from './drafts.ts';
import { type Place, refuse, refused } from './place.ts';
import { type Coerce, hasSteps, hexId, withSteps } from './scalars.ts';

/** A parameter or field that a request may fill. */
export interface Bindable {
  readonly name: string;
  readonly coerce: Coerce;
  readonly isRequired: boolean;
  /** Never filled from requests: private fields, `_` names, `*args`. */
  readonly isHidden: boolean;
}

/** The constructor parameters of a class with what requests may do with each (docs/server/programs.md#access). */
export function bindablesOf(meta: ClassMeta, coercerFor: (type: ParamSpec['type']) => Coerce): Bindable[] {
  return meta.params.map((param) => {
    const field = meta.byName.get(param.name);
    const isVariable = param.kind === 'args' || param.kind === 'kwargs';
    return {
      name: param.name,
      coerce: coercerFor(param.type),
      isRequired: param.default === undefined && !isVariable,
      isHidden: isVariable || param.name.startsWith('_') || field?.isPublic === false,
    };
  });
}

/** An object of the program, its fields bound recursively; the result is a draft. */
export function coerceObject(meta: ClassMeta, bindables: () => readonly Bindable[]): Coerce {
  const another = (place: Place) => refuse(place, 'model_type', `must be an object of type ${meta.name}`);
  const draftOf = (args: unknown[]) => (args.includes(refused) ? refused : new ObjectDraft(meta, args));
  return withSteps(
    (value, place) =>
      coerceObjectLiteral(value, place, (found) => {
        if (contradicts(found, meta)) return another(place);
        const wasExact = place.isExact;
        place.isExact = false;
        const args: unknown[] = [];
        for (const bindable of bindables())
          args.push(bindable.isHidden ? undefined : bindMember(found, bindable, place));
        place.isExact = wasExact;
        return draftOf(args);
      }),
    (value, place) =>
      objectLiteralInSteps(value, place, function* (found) {
        if (contradicts(found, meta)) return another(place);
        const wasExact = place.isExact;
        place.isExact = false;
        const args: unknown[] = [];
        for (const bindable of bindables()) {
          const { name, coerce, isHidden, isRequired } = bindable;
          const member = isHidden ? undefined : memberOf(found, name, place.large);
          place.path.push(name);
          if (isHidden) args.push(undefined);
          else if (member === undefined) args.push(isRequired ? refuse(place, 'missing') : undefined);
          else args.push(hasSteps(coerce, member, place) ? yield* coerce.steps(member, place) : coerce(member, place));
          place.path.pop();
        }
        place.isExact = wasExact;
        return draftOf(args);
      }),
    () => bindables().every(({ coerce }) => coerce.steps === undefined),
  );
}

function bindMember(found: Record<string, unknown>, bindable: Bindable, place: Place): unknown {
  place.path.push(bindable.name);
  const result = Object.hasOwn(found, bindable.name)
    ? bindable.coerce(found[bindable.name], place)
    : bindable.isRequired
      ? refuse(place, 'missing')
      : undefined;
  place.path.pop();
  return result;
}

/** Type tags never choose a class; one that names another class is a mistake worth telling. */
function contradicts(found: Record<string, unknown>, meta: ClassMeta): boolean {
  return ['_svc_type', '__type__'].some((tag) => Object.hasOwn(found, tag) && found[tag] !== meta.name);
}

/** A node or edge: its id, or an object that carries it as `_svc_id`. The result is a draft. */
export function coerceReference(meta: ClassMeta): Coerce {
  return (value, place) => {
    const given = place.isText && Array.isArray(value) ? value.at(-1) : value;
    if (typeof given === 'string' && !(place.isText && given.trimStart().startsWith('{'))) {
      const id = hexId(given.trim());
      return id === undefined ? refuse(place, 'uuid_parsing') : new ReferenceDraft(meta, id, [...place.path]);
    }
    return coerceObjectLiteral(given, place, (found) => {
      if (Object.hasOwn(found, '_svc_type') && typeof found['_svc_type'] !== 'string')
        return refuse(place, 'model_type');
      const id = Object.hasOwn(found, '_svc_id') ? found['_svc_id'] : undefined;
      if (typeof id !== 'string') return refuse(place, 'model_type', `must be the id of a ${meta.name}`);
      const hex = hexId(id);
      return hex === undefined ? refuse(place, 'uuid_parsing') : new ReferenceDraft(meta, hex, [...place.path]);
    });
  };
}
