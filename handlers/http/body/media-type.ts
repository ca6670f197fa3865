import { Failure } from '../../../core/errors.ts';

export type BodyKind = 'json' | 'multipart' | 'form';

/** Kinds of body that a target accepts (docs/server/requests.md#bodies, docs/server/requests.md#files). */
export type BodyRule = 'json' | 'json-or-files' | 'files';

const acceptedBy: Readonly<Record<BodyRule, readonly string[]>> = {
  json: ['application/json'],
  'json-or-files': ['application/json', 'multipart/form-data', 'application/x-www-form-urlencoded'],
  files: ['multipart/form-data'],
};

/**
 * The kind of a body by its content type. `form` for a target without files means that the type was urlencoded: the caller looks
 * whether the body is JSON all the same, as command-line clients send it.
 *
 * @throws Failure `UNSUPPORTED_MEDIA_TYPE`
 */
export function bodyKind(contentType: string | undefined, rule: BodyRule): BodyKind {
  if (contentType === undefined || contentType === 'application/json') {
    if (rule === 'files' && contentType !== undefined) throw unsupported(rule);
    return 'json';
  }
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((part) => part.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') throw unsupported(rule);
  if (/^application\/(json|[\w!#$&^.+-]+\+json)$/.test(type)) {
    if (rule === 'files') throw unsupported(rule);
    return 'json';
  }
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data' && rule !== 'json') return 'multipart';
  throw unsupported(rule);
}

export function unsupported(rule: BodyRule): Failure {
  const accepted = acceptedBy[rule];
  return new Failure('UNSUPPORTED_MEDIA_TYPE', `The body must be ${accepted.join(' or ')}.`, { details: { accepted } });
}
