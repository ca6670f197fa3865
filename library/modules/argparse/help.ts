/** Help texts of `argparse`. */

import { nativeClass } from '../../builtins/native-class.ts';
import { Dict } from '../../values/containers/dict.ts';
import { toArray } from '../../values/containers/iteration.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { plainName, strOf } from '../../values/objects/repr.ts';
import { className, isClass } from '../../values/objects/type-name.ts';
import { formatPercent } from '../../values/text/percent-format.ts';
import { TextWrapper } from '../textwrap.ts';
import { type Action, actionNames, choicesOf, PARSER, REMAINDER, SUPPRESS } from './actions.ts';

/** Layout of a help text; subclasses switch parts of it. */
export class HelpFormatter {
  declare readonly $raw: boolean;
  declare readonly $rawText: boolean;
  declare readonly $defaults: boolean;
  declare readonly $typeNames: boolean;
  readonly $prog: string;
  readonly $width: number;
  readonly $position: number;

  constructor(prog: unknown, position?: unknown, width?: unknown) {
    this.$prog = strOf(prog);
    const columns = Number(process.env['COLUMNS']) || process.stdout.columns || 80;
    this.$width = width === undefined || width === null ? columns - 2 : Number(width);
    this.$position = Math.min(Number(position ?? 24), Math.max(this.$width - 20, 4));
  }
}
Object.assign(HelpFormatter.prototype, { $raw: false, $rawText: false, $defaults: false, $typeNames: false });
const params = 'prog, indent_increment=2, max_help_position=24, width=None';
const make = (cls: any, prog: unknown, _indent: unknown, position: unknown, width: unknown) =>
  new cls(prog, position, width);
nativeClass(HelpFormatter, { name: 'HelpFormatter', module: 'argparse', params, make });

function variant(name: string, base: any, switches: object): any {
  const cls = class extends base {};
  Object.defineProperty(cls, 'name', { value: name });
  Object.assign(cls.prototype, switches);
  return nativeClass(cls as any, { name, module: 'argparse', params, make });
}
export const RawDescriptionHelpFormatter = variant('RawDescriptionHelpFormatter', HelpFormatter, { $raw: true });
export const RawTextHelpFormatter = variant('RawTextHelpFormatter', RawDescriptionHelpFormatter, { $rawText: true });
export const ArgumentDefaultsHelpFormatter = variant('ArgumentDefaultsHelpFormatter', HelpFormatter, {
  $defaults: true,
});
export const MetavarTypeHelpFormatter = variant('MetavarTypeHelpFormatter', HelpFormatter, { $typeNames: true });

export interface Group {
  readonly title: string | null;
  readonly description: string | null;
  readonly actions: readonly Action[];
}

export interface Exclusive {
  readonly required: boolean;
  readonly actions: readonly Action[];
}

function metavarsOf(f: HelpFormatter, action: Action, byDefault: string): (count: number) => string[] {
  const given = action.metavar;
  if (given instanceof Tuple) return () => given.items.map((item) => strOf(item));
  const text =
    given !== null
      ? strOf(given)
      : action.choices !== null
        ? `{${choicesOf(action)
            .map((x) => strOf(x))
            .join(',')}}`
        : f.$typeNames && action.type !== null
          ? typeLabel(action.type)
          : byDefault;
  return (count) => Array.from({ length: count }, () => text);
}

export function typeLabel(type: any): string {
  return isClass(type) ? className(type) : typeof type === 'function' ? plainName(type) : strOf(type);
}

const byDefault = (action: Action): string =>
  action.option_strings.length > 0 ? action.dest.toUpperCase() : action.dest;

function argsText(f: HelpFormatter, action: Action): string {
  const names = metavarsOf(f, action, byDefault(action));
  switch (action.nargs) {
    case null:
      return names(1)[0]!;
    case '?':
      return `[${names(1)[0]}]`;
    case '*': {
      const [first, second] = names(1);
      return second === undefined ? `[${first} ...]` : `[${first} [${second} ...]]`;
    }
    case '+': {
      const [first, second] = names(2);
      return `${first} [${second} ...]`;
    }
    case REMAINDER:
      return '...';
    case PARSER:
      return `${names(1)[0]} ...`;
    case SUPPRESS:
      return '';
    default:
      return names(Number(action.nargs)).join(' ');
  }
}

function invocation(f: HelpFormatter, action: Action): string {
  if (action.option_strings.length === 0) return metavarsOf(f, action, byDefault(action))(1).join(' ');
  const args = action.nargs === 0 ? '' : ` ${argsText(f, action)}`;
  return action.option_strings.map((option) => option + args).join(', ');
}

function usagePart(f: HelpFormatter, action: Action, inGroup: boolean): string {
  if (action.option_strings.length === 0) return argsText(f, action);
  const text = action.nargs === 0 ? action.format_usage() : `${action.option_strings[0]} ${argsText(f, action)}`;
  return action.required || inGroup ? text : `[${text}]`;
}

/** `usage: prog …`, broken into lines where it is too long. */
export function usageText(
  f: HelpFormatter,
  usage: string | null,
  actions: readonly Action[],
  exclusive: readonly Exclusive[],
  prefix = 'usage: ',
): string {
  if (usage !== null) return `${prefix}${formatPercent(usage, Dict.of('prog', f.$prog))}\n\n`;
  const visible = actions.filter((action) => action.help !== SUPPRESS);
  const parts = (list: readonly Action[]) => partsOf(f, list, exclusive);
  const optionals = parts(visible.filter((action) => action.option_strings.length > 0));
  const positionals = parts(visible.filter((action) => action.option_strings.length === 0));
  const one = [f.$prog, ...optionals, ...positionals].join(' ');
  if (prefix.length + one.length <= f.$width) return `${prefix}${one}\n\n`;
  return `${prefix}${brokenUsage(f, prefix, optionals, positionals).join('\n')}\n\n`;
}

function partsOf(f: HelpFormatter, actions: readonly Action[], exclusive: readonly Exclusive[]): string[] {
  const parts: string[] = [];
  for (const action of actions) {
    const group = exclusive.find((one) => one.actions.includes(action));
    const members = group?.actions.filter((member) => actions.includes(member)) ?? [];
    if (group === undefined || members.length < 2) {
      parts.push(group?.required === true ? usagePart(f, action, true) : usagePart(f, action, false));
    } else if (members[0] === action) {
      const text = members.map((member) => usagePart(f, member, true)).join(' | ');
      parts.push(group.required ? `(${text})` : `[${text}]`);
    }
  }
  return parts.filter((part) => part !== '');
}

function brokenUsage(f: HelpFormatter, prefix: string, optionals: string[], positionals: string[]): string[] {
  const lines = (parts: readonly string[], indent: string, first?: string): string[] => {
    const out: string[] = [];
    let line: string[] = [];
    let length = (first ?? indent).length - 1;
    for (const part of parts) {
      if (length + 1 + part.length > f.$width && line.length > 0) {
        out.push(indent + line.join(' '));
        line = [];
        length = indent.length - 1;
      }
      line.push(part);
      length += part.length + 1;
    }
    if (line.length > 0) out.push(indent + line.join(' '));
    if (first !== undefined && out.length > 0) out[0] = out[0]!.slice(indent.length);
    return out;
  };
  if (prefix.length + f.$prog.length <= 0.75 * f.$width) {
    const indent = ' '.repeat(prefix.length + f.$prog.length + 1);
    if (optionals.length > 0) return [...lines([f.$prog, ...optionals], indent, prefix), ...lines(positionals, indent)];
    return positionals.length > 0 ? lines([f.$prog, ...positionals], indent, prefix) : [f.$prog];
  }
  const indent = ' '.repeat(prefix.length);
  const together = lines([...optionals, ...positionals], indent);
  return [f.$prog, ...(together.length > 1 ? [...lines(optionals, indent), ...lines(positionals, indent)] : together)];
}

function filled(f: HelpFormatter, text: string, width: number, indent: string): string {
  if (f.$raw)
    return text
      .split(/(?<=\n)/)
      .map((line) => indent + line)
      .join('');
  return new TextWrapper([
    ['width', width],
    ['initial_indent', indent],
    ['subsequent_indent', indent],
  ]).fill(text.replace(/\s+/g, ' ').trim());
}

export function paragraph(f: HelpFormatter, text: string | null, indent = 0): string {
  if (text === null || text === SUPPRESS) return '';
  const shown = text.includes('%(prog)') ? (formatPercent(text, Dict.of('prog', f.$prog)) as string) : text;
  return `${filled(f, shown, Math.max(f.$width - indent, 11), ' '.repeat(indent))}\n\n`;
}

interface Row {
  readonly indent: number;
  readonly action: Action;
}

/** Arguments of one kind, and the commands below them. */
function rowsOf(actions: readonly Action[], indent: number): Row[] {
  return actions
    .filter((action) => action.help !== SUPPRESS)
    .flatMap((action) => [{ indent, action }, ...rowsOf((action as any).$commands ?? [], indent + 2)]);
}

/** The groups of arguments with their explanations. */
export function groupsText(f: HelpFormatter, groups: readonly Group[]): string {
  const sections = groups.map((group) => ({ group, rows: rowsOf(group.actions, 2) }));
  const widest = Math.max(
    0,
    ...sections.flatMap(({ rows }) => rows.map((row) => invocation(f, row.action).length + row.indent)),
  );
  const position = Math.min(widest + 2, f.$position);
  return sections
    .map(({ group, rows }) => {
      const body = paragraph(f, group.description, 2) + rows.map((row) => rowText(f, row, position)).join('');
      return body === ''
        ? ''
        : `${group.title === null ? '' : `${group.title}:\n`}${body}${body.endsWith('\n\n') ? '' : '\n'}`;
    })
    .join('');
}

function rowText(f: HelpFormatter, { indent, action }: Row, position: number): string {
  const head = invocation(f, action);
  const width = position - indent - 2;
  const help = helpOf(f, action);
  const margin = ' '.repeat(indent);
  if (help === '') return `${margin}${head}\n`;
  const lines = f.$rawText
    ? help.split('\n')
    : new TextWrapper([['width', Math.max(f.$width - position, 11)]]).wrap(help.replace(/\s+/g, ' ').trim());
  const below = lines.map((line) => `${' '.repeat(position)}${line}\n`);
  if (head.length > width) return `${margin}${head}\n${below.join('')}`;
  return `${margin}${head.padEnd(width)}  ${lines[0] ?? ''}\n${below.slice(1).join('')}`;
}

function helpOf(f: HelpFormatter, action: Action): string {
  if (action.help === null) return '';
  let text = strOf(action.help);
  const optional = action.option_strings.length > 0 || action.nargs === '?' || action.nargs === '*';
  if (f.$defaults && !text.includes('%(default)') && action.default !== SUPPRESS && optional)
    text += ' (default: %(default)s)';
  if (!text.includes('%')) return text;
  const names = Dict.of('prog', f.$prog);
  for (const name of actionNames) if ((action as any)[name] !== SUPPRESS) names.set(name, (action as any)[name]);
  if (action.choices !== null)
    names.set(
      'choices',
      toArray(action.choices)
        .map((x) => strOf(x))
        .join(', '),
    );
  if (action.type !== null) names.set('type', typeLabel(action.type));
  return formatPercent(text, names) as string;
}
