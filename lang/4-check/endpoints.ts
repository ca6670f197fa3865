import { didYouMean } from '../../base/did-you-mean.ts';
import { wordList } from '../../base/word-list.ts';
import type * as ast from '../1-parse/ast.ts';
import { isRestSpec } from '../2-resolve/is-marked.ts';
import { enumMembers } from '../3-infer/classes/runtime-classes.ts';
import type { ClassRecord } from '../3-infer/program.ts';
import { isAsyncWalker } from '../3-infer/read/spawn.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * E0528: options of `restspec` with which `svc start` would refuse the program
 * (docs/server/programs.md#start-validation), as far as the text shows them.
 */
export const endpointRule: Rule = {
  name: 'endpoints',
  checkOnly: true,
  visit: { Archetype: visit, FunctionDecl: visit },
};

const options = ['method', 'path', 'protocol', 'broadcast', 'envelope', 'produces', 'verify', 'secret'];
const methods = enumMembers('HTTPMethod')!;
const protocols = enumMembers('APIProtocol')!;
const senders = ['github', 'stripe', 'slack', 'standard', 'none'];
const references = /^(\$\{[A-Za-z_][A-Za-z0-9_]*(:\?[^}]*)?\})+$/;

function visit(node: ast.Archetype | ast.FunctionDecl, c: RuleContext): void {
  if (node.name === undefined || (node.kind === 'Archetype' ? node.archetype !== 'walker' : c.owner !== undefined))
    return;
  for (const decorator of node.decorators) {
    if (isRestSpec(decorator)) checkOptions(node, decorator, c);
  }
}

function checkOptions(node: ast.Archetype | ast.FunctionDecl, call: ast.Call, c: RuleContext): void {
  const given = new Map<string, ast.Argument>();
  for (const arg of call.args) {
    const name = arg.name?.text ?? '';
    if (arg.sort !== 'keyword') return;
    given.set(name, arg);
    const near = options.includes(name) ? undefined : didYouMean(name, options);
    const help = near && `did you mean \`${near}\`?`;
    if (!options.includes(name)) c.report('E0412', arg, { form: 'unknown', p: name, f: 'restspec' }, { help });
  }
  const name = node.name!.text;
  const wordOf = (option: string) => textOf(given.get(option)?.value)?.toUpperCase();
  const tell = (option: string, text: string) => c.report('E0528', given.get(option)!, { text: `${name}: ${text}` });
  const refuse = (option: string, word: string, known: readonly string[]) => {
    // A member that an enumeration does not have is reported where it is named.
    if (given.get(option)!.value.kind !== 'StringLiteral') return;
    const near = didYouMean(word, known);
    const help = near && `did you mean \`"${near}"\`?`;
    const text = `${name}: unsupported ${option} ${word} (${wordList(known)})`;
    c.report('E0528', given.get(option)!, { text }, { help });
  };
  const method = wordOf('method');
  if (method !== undefined && !methods.includes(method)) refuse('method', method, methods);
  const protocol = given.has('protocol') ? wordOf('protocol') : 'HTTP';
  if (protocol === undefined) return;
  if (!protocols.includes(protocol)) {
    refuse('protocol', protocol, protocols);
    return;
  }
  if (protocol !== 'WEBSOCKET' && isConstant(given.get('broadcast'), true))
    tell('broadcast', 'broadcast requires protocol WEBSOCKET');
  if (protocol === 'WEBSOCKET' && node.kind === 'Archetype' && !mayBeAsync(c.types.classRecord(node)))
    tell('protocol', 'a WEBSOCKET walker must be async');
  if (protocol === 'WEBHOOK' && node.kind === 'FunctionDecl') tell('protocol', 'WEBHOOK applies to walkers only');
  if (node.kind === 'Archetype' && isConstant(given.get('envelope'), false) && !given.has('verify'))
    tell('envelope', 'envelope=false applies to functions, and to webhooks with verify, only');
  checkSender(protocol, given, tell);
  const path = textOf(given.get('path')?.value);
  const why = protocol === 'HTTP' && path ? badPath(path, fieldsOf(node, c)) : undefined;
  if (why !== undefined) tell('path', `invalid path ${path} (${why})`);
}

/** Webhooks of services with signatures of their own. */
function checkSender(
  protocol: string,
  given: ReadonlyMap<string, ast.Argument>,
  tell: (option: string, text: string) => void,
): void {
  const [verify, secret] = [given.get('verify'), given.get('secret')];
  if (verify === undefined) {
    if (secret !== undefined) tell('secret', 'secret needs verify');
    return;
  }
  const [sender, text] = [textOf(verify.value), textOf(secret?.value)];
  if (protocol !== 'WEBHOOK') tell('verify', 'verify requires protocol WEBHOOK');
  else if (sender === undefined) return;
  else if (!senders.includes(sender)) tell('verify', `unknown verify ${sender} (known: ${senders.join(', ')})`);
  else if (sender === 'none' && secret !== undefined) tell('secret', 'verify none takes no secret');
  else if (sender !== 'none' && secret === undefined)
    tell('verify', `verify ${sender} needs secret="\${NAME}", the variable that has it`);
  else if (text !== undefined && !references.test(text))
    tell('secret', 'secret must name the variable that has it, secret="${NAME}", not hold it');
}

/** `"GET"` and `HTTPMethod.GET`. */
function textOf(value: ast.Expression | undefined): string | undefined {
  if (value?.kind === 'StringLiteral') return value.value;
  return value?.kind === 'Attribute' && value.object.kind === 'NameRef' ? value.name.text : undefined;
}

function isConstant(arg: ast.Argument | undefined, value: boolean): boolean {
  return arg?.value.kind === 'Constant' && arg.value.value === value;
}

/** Tells whether a walker may be async by itself, or by a base that perhaps is. */

function mayBeAsync(cls: ClassRecord): boolean {
  return cls.open || isAsyncWalker(cls);
}

/** Lists the names that a parameter of a path may have; undefined where not all fields are known. */
function fieldsOf(node: ast.Archetype | ast.FunctionDecl, c: RuleContext): readonly string[] | undefined {
  if (node.kind === 'FunctionDecl') return node.signature.params.flatMap((param) => param.name?.text ?? []);
  const cls = c.types.classRecord(node);
  return cls.open ? undefined : [...cls.fields.keys()];
}

function badPath(path: string, fields: readonly string[] | undefined): string | undefined {
  if (!path.startsWith('/')) return 'it must start with /';
  if (path === '/') return undefined;
  for (const segment of path.slice(1).split('/')) {
    if (segment === '') return 'it has an empty segment';
    if (!/[{}]/.test(segment)) continue;
    const name = /^\{([^{}]+)\}$/.exec(segment)?.[1];
    if (name === undefined) return `a segment is either literal or one parameter, not ${segment}`;
    if (fields !== undefined && !fields.includes(name)) return `{${name}} is not a declared field`;
  }
  return undefined;
}
