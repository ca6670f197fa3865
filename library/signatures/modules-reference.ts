/**
 * Reference page of the standard modules (docs/reference/modules.md): what each of them has, with the parameters that calls are bound to. Names and parameters are
 * read off the module objects that programs import, results and what waits off the compiler's table.
 */
import type { ParamSpec } from '../classes/spec.ts';
import { std } from '../registry.ts';
import { signatureOf } from '../values/calls/signature.ts';
import { $about, attributeName } from '../values/objects/protocol.ts';
import { isClass } from '../values/objects/type-name.ts';
import { modules } from './modules.ts';

/** Gives the page. `names`: modules that are loaded. */
export function modulesReference(names: readonly string[]): string {
  const lines = [
    '# Standard modules: functions and their parameters',
    '',
    'Generated from the modules that programs import and from `library/signatures/modules.ts`; `UPDATE=1 npx vitest run library/signatures/modules-reference.test.ts`',
    'writes it anew. What `/` and `*` mean, and that a default is the value of a parameter that is left out, is [as everywhere](../language/functions.md). A result is',
    'named where the compiler knows it. Functions that **wait** let other calls run meanwhile. What differs from CPython is in [standard modules](../language/standard-modules.md).',
  ];
  const written = new Map<string, string>();
  for (const name of names) {
    const described = moduleLines(name);
    const text = described.join('\n');
    const same = written.get(text);
    lines.push('', `<a id="${name}"></a>`, '', `## \`${name}\``, '');
    lines.push(...(same === undefined ? described : [`The names of [\`${same}\`](#${same}).`]));
    if (same === undefined) written.set(text, name);
  }
  return `${lines.join('\n')}\n`;
}

function moduleLines(name: string): readonly string[] {
  const module = std(name);
  const members = Object.keys(module)
    .filter((property) => !/^[_$]/.test(property))
    .map((property) => [attributeName(property), module[property]] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const [functions, classes, others]: [string[], string[], string[]] = [[], [], []];
  for (const [member, value] of members) {
    if (typeof value === 'function' && isClass(value)) classes.push(`\`${member}${constructorText(value)}\``);
    else if (typeof value === 'function' && signatureOf(value) !== undefined)
      functions.push(functionRow(name, member, signatureOf(value)!.params));
    else others.push(`\`${member}\``);
  }
  const table = ['| Function | Gives |', '| --- | --- |', ...functions];
  const parts = [
    ...(functions.length > 0 ? [table] : []),
    ...(classes.length > 0 ? [[`Classes: ${classes.join(', ')}`]] : []),
    ...(others.length > 0 ? [[`Other names: ${others.join(' ')}`]] : []),
  ];
  return parts.flatMap((part, i) => (i === 0 ? part : ['', ...part]));
}

function functionRow(module: string, name: string, params: readonly ParamSpec[]): string {
  const shown = `${name}(${paramsText(params)})`.replaceAll('|', '\\|');
  const about = [resultOf(module, name), waits(module, name) ? '**waits**' : ''].filter((part) => part !== '');
  return `| \`${shown}\` | ${about.join(', ')} |`;
}

/** Parameters of a constructor in parentheses; empty where there are none, or where they are those of a class that the language compiles. */
function constructorText(of: any): string {
  const own: string | undefined = Object.hasOwn(of, $about) ? of[$about].params : undefined;
  return own === undefined || own === '' ? '' : `(${own})`;
}

/** Gives parameters as a declaration writes them. */
function paramsText(params: readonly ParamSpec[]): string {
  const parts: string[] = [];
  let hasStar = false;
  params.forEach((param, i) => {
    const { kind, name, written } = param;
    if (kind === 'kw' && !hasStar) parts.push('*');
    hasStar ||= kind === 'kw' || kind === 'args';
    const stars = { args: '*', kwargs: '**' }[kind as string] ?? '';
    parts.push(`${stars}${name}${param.default === undefined ? '' : `=${written ?? '…'}`}`);
    if (kind === 'pos' && params[i + 1]?.kind !== 'pos') parts.push('/');
  });
  return parts.join(', ');
}

/** The result that the compiler reckons with, as `int` in backquotes; empty where it knows none. */
function resultOf(module: string, name: string): string {
  const ofNames = linesOf(modules.results, module).find((line) => line.names.includes(name))?.result;
  const called = `\n${module}.${name}(`;
  const line = modules.callbacks.split(called)[1]?.split('\n', 1)[0];
  const result = ofNames ?? line?.slice(line.lastIndexOf(' -> ') + 4);
  return result === undefined || result === 'any'
    ? ''
    : `\`${(resultWords[result] ?? result).replace(/\bany\b/g, 'object')}\``;
}

const resultWords: { readonly [result: string]: string } = { none: 'None', floats: 'float' };

const waits = (module: string, name: string): boolean =>
  linesOf(modules.waiting, module).some(({ names }) => names.includes(name));

function linesOf(table: string, module: string) {
  return table
    .trim()
    .split('\n')
    .filter((line) => line.startsWith(`${module}: `))
    .map((line) => {
      const [names, result] = line.slice(module.length + 2).split(' -> ');
      return { names: names!.split(' '), result };
    });
}
