/** The texts of a generated client: the types of the program, its endpoints, and the part that is the same for every program. */
import { fieldsOf } from '../../handlers/http/openapi/request.ts';
import { mentions } from '../../handlers/http/openapi/types.ts';
import type { ServedTarget } from '../../handlers/served-targets.ts';
import type { ClassTable } from '../../library/classes/registry.ts';
import type { WalkersFacts } from './read-walkers.ts';
import { declarationsOf } from './runtime-declarations.ts';
import type { Language } from './runtime-text.ts';
import { comment, createTypeBook, property, type TypeBook, unionOf } from './type-book.ts';

export interface ClientParts {
  readonly targets: readonly ServedTarget[];
  readonly classes: ClassTable;
  readonly walkers: WalkersFacts;
  /** The part that is the same for every program, in the language. */
  readonly runtime: string;
  /** The same in TypeScript. */
  readonly typedRuntime: string;
  readonly language: Language;
  /** Name of the project; empty where it has none. */
  readonly name: string;
  /** Private fields are in answers, too. */
  readonly withPrivate: boolean;
}

export interface ClientTexts {
  readonly client: string;
  /** Types of a client in JavaScript, for a file beside it; undefined in TypeScript, where they stand in the client. */
  readonly types: string | undefined;
}

export function clientTexts(parts: ClientParts): ClientTexts {
  const { targets, runtime, typedRuntime, language } = parts;
  const callable = targets.filter(({ rest }) => rest.protocol !== 'WEBHOOK');
  const book = createTypeBook({
    classes: parts.classes,
    roots: callable.flatMap(({ fields, spec }) => [...fields.map(({ type }) => type), ...(spec ? [spec.result] : [])]),
    metas: callable.flatMap(({ meta }) => meta ?? []),
    reserved: [...declaredIn(typedRuntime), ...ownNames, ...globals],
    withPrivate: parts.withPrivate,
  });
  const served = callable.map((target) => describe(target, book, parts.walkers));
  const types = [...interfaces(served), ...book.declarations()];
  const rule = `// ${'-'.repeat(20)} the same for every program`;
  const client = [
    heading(parts.name) + (language === 'js' ? '\n// @ts-nocheck: its types are in the file beside it' : ''),
    ...(language === 'ts' ? types : []),
    ...book.enums().map(enumText(language)),
    tableText(served, language),
    makeText(language),
    rule,
    runtime,
  ];
  const declared = [
    heading(parts.name),
    ...types,
    ...book.enums().map(enumType),
    `${makeComment}\nexport declare function createClient(options?: ClientOptions): Client;`,
    rule,
    ...declarationsOf(typedRuntime),
  ];
  return { client: joined(client), types: language === 'ts' ? undefined : joined(declared) };
}

function joined(blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`;
}

/** Names of this part of the file. */
const ownNames = ['Walkers', 'Functions', 'Sockets', 'Live', 'Client', 'createClient', 'endpoints'];

/** Names of the platform that the file uses. */
const globals =
  'AbortController AbortSignal Array Blob Date Error File FormData JSON Map Math Number Object Omit Partial Promise Readonly ReadonlySet Record Response Set Storage String Symbol TextDecoder TypeError Uint8Array WebSocket'.split(
    ' ',
  );

function declaredIn(runtime: string): string[] {
  const declaration =
    /^(?:export )?(?:async )?(?:const|let|function\*?|async function\*|class|interface|type)\s+(\w+)/gm;
  return [...runtime.matchAll(declaration)].map(([, name]) => name as string);
}

function heading(name: string): string {
  return `/**\n * Client of ${name === '' ? 'an application' : name}, written by \`svc generate client\`: it is written again when the program changes.\n */\n/* biome-ignore-all lint: generated */\n/* eslint-disable */`;
}

// ---------------------------------------------------------------- what is served

interface Served {
  readonly name: string;
  readonly kind: 'walker' | 'function';
  readonly isSocket: boolean;
  readonly doc: string;
  /** Type of the fields. */
  readonly fields: string;
  /** Type arguments of what comes: of the reports and the walker, or of the value. */
  readonly report: string;
  readonly result: string;
  readonly facts: Readonly<Record<string, string | boolean>>;
  /** A live subscription may follow it. */
  readonly isFollowed: boolean;
}

function describe(target: ServedTarget, book: TypeBook, walkers: WalkersFacts): Served {
  const { name, kind, rest, meta, spec, doc } = target;
  const fields = fieldsOf(target).map((field) => ({
    name: field.name,
    type: book.input(field.type),
    isOptional: !field.isRequired,
    doc: field.doc,
  }));
  const { reported, writes = false } = walkers.get(`${meta?.module}.${meta?.name}`) ?? {};
  const streams =
    meta === undefined
      ? spec?.generator === true || spec?.result.t === 'iterator'
      : reported?.some(({ t }) => t === 'iterator') === true;
  const report = unionOf((reported ?? []).map((type) => book.inferred(type.t === 'iterator' ? type.of : type)));
  const usual = target.path === `/${kind}/${name}`;
  const [method = 'POST'] = target.methods;
  const takesFiles = target.fields.some(({ type }) => mentions(type, ({ t }) => t === 'UploadFile'));
  const raw = !rest.envelope && !streams && kind === 'function' ? rawForm(target) : undefined;
  return {
    name,
    kind,
    isSocket: rest.protocol === 'WEBSOCKET',
    doc,
    fields: book.fields(name, fields),
    report,
    result:
      meta !== undefined
        ? book.instance(meta)
        : raw === 'bytes'
          ? 'Uint8Array | null'
          : streams && spec?.result.t === 'iterator'
            ? book.output(spec.result.of)
            : streams || spec === undefined
              ? 'any'
              : book.output(spec.result),
    facts: {
      ...(method !== 'POST' && { method }),
      ...(!usual && { path: target.path }),
      ...(streams && { streams: true }),
      ...(raw !== undefined && { raw }),
    },
    isFollowed: !writes && !streams && raw === undefined && !takesFiles,
  };
}

function rawForm({ rest: { produces }, spec }: ServedTarget): 'text' | 'bytes' | 'json' {
  if (spec !== undefined && mentions(spec.result, ({ t }) => t === 'bytes')) return 'bytes';
  if (spec?.result.t === 'str' || /^text\//.test(produces)) return 'text';
  return 'json';
}

// ---------------------------------------------------------------- text

function interfaces(served: readonly Served[]): string[] {
  const http = served.filter(({ isSocket }) => !isSocket);
  const walkers = http.filter(({ kind }) => kind === 'walker');
  const functions = http.filter(({ kind }) => kind === 'function');
  const followed = http.filter(({ isFollowed }) => isFollowed);
  return [
    'export interface Client extends ClientBase {\n  readonly walkers: Walkers;\n  readonly functions: Functions;\n  readonly sockets: Sockets;\n  readonly live: Live;\n}',
    interfaceText('Walkers', 'Walkers over HTTP.', walkers, ({ fields, report, result, facts }) =>
      facts['streams'] === true ? `StreamCall<${fields}, ${report}>` : `WalkerCall<${fields}, ${report}, ${result}>`,
    ),
    interfaceText('Functions', 'Functions over HTTP.', functions, ({ fields, result, facts }) =>
      facts['streams'] === true ? `StreamFunction<${fields}, ${result}>` : `FunctionCall<${fields}, ${result}>`,
    ),
    interfaceText('Sockets', 'Walkers and functions over WebSockets.', socketsOf(served), (one) => {
      const answer = one.kind === 'walker' ? `WalkerAnswer<${one.report}, ${one.result}>` : one.result;
      return `SocketCall<${one.fields}, ${answer}>`;
    }),
    interfaceText('Live', 'Walkers and functions that only read, followed.', unique(followed), (one) => {
      const value = one.kind === 'walker' ? `WalkerAnswer<${one.report}, ${one.result}>` : one.result;
      return `LiveCall<${one.fields}, ${value}>`;
    }),
  ];
}

function socketsOf(served: readonly Served[]): readonly Served[] {
  return unique(served.filter(({ isSocket }) => isSocket));
}

/** One of each name: where a walker and a function share it, the walker. */
function unique(served: readonly Served[]): readonly Served[] {
  return [...new Map([...served].reverse().map((one) => [one.name, one])).values()].reverse();
}

function interfaceText(
  name: string,
  about: string,
  served: readonly Served[],
  typeOf: (one: Served) => string,
): string {
  const members = served.map((one) => `${comment(one.doc, '  ')}  readonly ${property(one.name)}: ${typeOf(one)};\n`);
  return `/** ${about} */\nexport interface ${name} {${members.length === 0 ? '' : `\n${members.join('')}`}}`;
}

function enumText(language: Language) {
  return ({ name, members }: ReturnType<TypeBook['enums']>[number]): string => {
    const lines = members.map(([member, value]) => `  ${property(member)}: ${value},\n`);
    return `export const ${name} = {\n${lines.join('')}}${language === 'ts' ? ' as const' : ''};`;
  };
}

function enumType({ name, members }: ReturnType<TypeBook['enums']>[number]): string {
  const lines = members.map(([member, value]) => `  readonly ${property(member)}: ${value};\n`);
  return `export declare const ${name}: {\n${lines.join('')}};`;
}

function tableText(served: readonly Served[], language: Language): string {
  const part = (list: readonly Served[], valueOf: (one: Served) => string) =>
    list.length === 0 ? '{}' : `{\n${list.map((one) => `    ${property(one.name)}: ${valueOf(one)},\n`).join('')}  }`;
  const http = served.filter(({ isSocket }) => !isSocket);
  const factsOf = ({ facts }: Served) => {
    const known = Object.entries(facts).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
    return known.length === 0 ? '{}' : `{ ${known.join(', ')} }`;
  };
  const walkers = part(
    http.filter(({ kind }) => kind === 'walker'),
    factsOf,
  );
  const functions = part(
    http.filter(({ kind }) => kind === 'function'),
    factsOf,
  );
  const sockets = part(socketsOf(served), ({ kind }) => JSON.stringify(kind));
  const type = language === 'ts' ? ': EndpointTable' : '';
  return `const endpoints${type} = {\n  walkers: ${walkers},\n  functions: ${functions},\n  sockets: ${sockets},\n};`;
}

const makeComment =
  "/** Makes a client. In a browser it is that of the page's own server unless `baseUrl` says otherwise, and keeps its token in `localStorage`. */";

function makeText(language: Language): string {
  const [given, result] = language === 'ts' ? ['options: ClientOptions = {}', ': Client'] : ['options = {}', ''];
  return `${makeComment}\nexport function createClient(${given})${result} {\n  return makeClient(endpoints, options);\n}`;
}
