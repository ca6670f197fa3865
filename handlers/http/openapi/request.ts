import { docOf } from '../../../library/classes/doc-of.ts';
import type { ServedTarget } from '../../served-targets.ts';
import { senderSchemes } from '../../webhook/sender-schemes.ts';
import { plainText } from '../serialize/plain-text.ts';
import type { Schema } from './schema-forms.ts';
import type { InputField, SchemaBook } from './schemas.ts';
import { mentions } from './types.ts';

export type Claim = (wanted: string) => string;
export type Method = ServedTarget['methods'][number];

const nodeId = '^(root|[0-9a-fA-F]{32}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$';
export const nodeInPath = {
  name: 'nd',
  in: 'path',
  required: true,
  description: 'Node to start on: its id, or `root`.',
  schema: { type: 'string', pattern: nodeId },
};
export const nodeInQuery = { ...nodeInPath, in: 'query', required: false };

/** Parameters and body: fields named in the path come from there, others from the query (GET, DELETE) or the body. */
export function requestParts(
  target: ServedTarget,
  method: Method,
  book: SchemaBook,
  body: () => Schema | undefined,
): Record<string, unknown> {
  const inPath = pathNames(target.path);
  const fields = fieldsOf(target);
  const inQuery = fields.filter(
    (field) => !inPath.includes(field.name) && !isFile(field) && isInQuery(target, method, field.name),
  );
  // Fields of DELETE may stand in the query or in the body, so neither alone requires any.
  const isAlone = method !== 'DELETE';
  const parameters: unknown[] = [
    ...inPath.map((name) => pathParameter(name, fields, book)),
    ...inQuery.map((field) => queryParameter(field, isAlone && field.isRequired, book)),
  ];
  const takesNode =
    target.kind === 'walker' && target.rest.protocol === 'HTTP' && target.path !== `/walker/${target.name}`;
  if (takesNode && !fields.some(({ name }) => name === 'nd')) parameters.push(nodeInQuery);
  parameters.push(...senderHeaders(target));
  const content = method === 'GET' ? undefined : body();
  const isNeeded = method !== 'DELETE' && bodyFields(target).some(({ isRequired }) => isRequired);
  return {
    ...(parameters.length > 0 && { parameters }),
    ...(content && { requestBody: { required: isNeeded, content } }),
  };
}

/** Headers that a service sends besides its signature. */
function senderHeaders({ rest: { verify } }: ServedTarget): Schema[] {
  if (verify === '' || verify === 'none') return [];
  const required = verify !== 'github'; // which only names the delivery
  return senderSchemes[verify].further.map((name) => ({ name, in: 'header', required, schema: { type: 'string' } }));
}

/** Public fields with their documentation, which belongs to the declaration. */
export function fieldsOf(target: ServedTarget): InputField[] {
  return target.fields
    .filter(({ isHidden }) => !isHidden)
    .map(({ name, type, isRequired, default: value }) => {
      const param = target.spec?.params.find((one) => one.name === name);
      return {
        name,
        type,
        isRequired,
        default: isRequired ? undefined : (JSON.parse(plainText(value)) as unknown),
        doc: docOf(target.spec ?? target.meta?.spec, name, param?.doc ?? target.meta?.byName.get(name)?.doc),
      };
    });
}

function isInQuery(target: ServedTarget, method: Method, name: string): boolean {
  return method === 'GET' || method === 'DELETE' || target.queryFields === 'all' || target.queryFields.includes(name);
}

/** Fields a body may have: those that come from nowhere else. */
function bodyFields(target: ServedTarget): InputField[] {
  const elsewhere = new Set(pathNames(target.path));
  if (target.queryFields === 'all')
    return fieldsOf(target).filter((field) => !elsewhere.has(field.name) && isFile(field));
  for (const name of target.queryFields) elsewhere.add(name);
  return fieldsOf(target).filter(({ name }) => !elsewhere.has(name));
}

function pathNames(path: string): string[] {
  return [...path.matchAll(/\{([^}/]+)\}/g)].map(([, name]) => name as string);
}

function pathParameter(name: string, fields: readonly InputField[], book: SchemaBook): Schema {
  const field = fields.find((one) => one.name === name);
  const doc = field?.doc;
  return {
    name,
    in: 'path',
    required: true,
    ...(doc && { description: doc }),
    schema: field ? book.input(field.type) : { type: 'string' },
  };
}

function queryParameter(field: InputField, required: boolean, book: SchemaBook): Schema {
  const { description, ...schema } = book.field(field);
  return { name: field.name, in: 'query', required, ...(description !== undefined && { description }), schema };
}

/** Content of the body by media type: JSON where no file is needed, a form where there may be one. */
export function requestBody(target: ServedTarget, book: SchemaBook, claim: Claim): Schema | undefined {
  const fields = bodyFields(target);
  if (fields.length === 0) return undefined;
  const files = fields.filter(isFile);
  const plain = fields.filter((field) => !isFile(field));
  const needsFile = files.some(({ isRequired }) => isRequired);
  const name = `${target.name}Request`;
  const content: Record<string, unknown> = {};
  // Commands come as forms, events as JSON.
  if (target.rest.verify === 'slack') content['application/x-www-form-urlencoded'] = { schema: book.members(plain) };
  if (!needsFile) content['application/json'] = { schema: book.add(claim(name), book.members(plain)) };
  if (files.length > 0) {
    const schema = book.add(claim(needsFile ? name : `${name}Form`), book.members(fields));
    const encoding = Object.fromEntries(
      plain.filter(isWrittenAsJson).map((field) => [field.name, { contentType: 'application/json' }]),
    );
    content['multipart/form-data'] = { schema, ...(Object.keys(encoding).length > 0 && { encoding }) };
  }
  return content;
}

function isFile(field: InputField): boolean {
  return mentions(field.type, ({ t }) => t === 'UploadFile');
}

/** Lists, dicts and objects are JSON in a form's text part (docs/server/requests.md#files). */
function isWrittenAsJson(field: InputField): boolean {
  return mentions(field.type, ({ t }) => ['list', 'dict', 'set', 'frozenset', 'tuple', 'ref'].includes(t));
}
