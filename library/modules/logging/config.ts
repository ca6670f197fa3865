/** Module `logging.config`: loggers set up from a dictionary (docs/language/standard-modules.md#differences). */

import { functions, type Members } from '../../builtins/module.ts';
import { liveClasses } from '../../classes/registry.ts';
import { hasModule, std } from '../../registry.ts';
import { callkw } from '../../values/calls/calls.ts';
import { caught } from '../../values/calls/raise.ts';
import { Dict } from '../../values/containers/dict.ts';
import { itemsOf } from '../../values/containers/iteration.ts';
import { getitem } from '../../values/containers/subscripts.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { getattr, setattr } from '../../values/objects/attributes.ts';
import { KeyError, TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { reprOf, strOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import type { Logger } from './logging.ts';
import { Filter, Formatter } from './record.ts';

interface Setting {
  readonly config: Dict;
  readonly root: Logger;
  readonly formatters: Map<unknown, unknown>;
  readonly filters: Map<unknown, unknown>;
  readonly handlers: Map<unknown, any>;
}

function dictConfig(given: unknown): null {
  if (!(given instanceof Dict)) throw new TypeError(`dictConfig needs a dict, not ${reprOf(given)}`);
  const version = given.get('version');
  if (version === undefined) throw new ValueError("dictionary doesn't specify a version");
  if (version !== 1) throw new ValueError(`Unsupported version: ${strOf(version)}`);
  const { root } = std('logging') as { root: Logger };
  const s: Setting = { config: given, root, formatters: new Map(), filters: new Map(), handlers: new Map() };
  if (truth(given.get('incremental'))) setIncrementally(s);
  else setAnew(s);
  return null;
}

/** Levels of what there is, and whether loggers pass on. */
function setIncrementally(s: Setting): void {
  const handlers = new Map(allHandlers(s.root).map((handler) => [handler.name, handler]));
  for (const [name, about] of section(s.config, 'handlers')) {
    const handler = handlers.get(name as string);
    if (handler === undefined) throw new ValueError(`No handler found with name ${reprOf(name)}`);
    const level = about.get('level');
    if (truth(level)) callMethod(handler, 'setLevel', level);
  }
  for (const [name, about] of section(s.config, 'loggers')) setLevels(loggerNamed(s.root, name), about);
  const root = s.config.get('root');
  if (root instanceof Dict) setLevels(s.root, root);
}

function setLevels(logger: Logger, about: Dict): void {
  if (truth(about.get('level'))) logger.setLevel(about.get('level'));
  const propagate = about.get('propagate');
  if (propagate !== undefined && propagate !== null) logger.propagate = propagate;
}

function setAnew(s: Setting): void {
  const others = s.root.manager.loggerDict;
  for (const handler of new Set(allHandlers(s.root))) callMethod(handler, 'close');
  for (const [name, about] of section(s.config, 'formatters'))
    s.formatters.set(
      name,
      named('formatter', name, () => makeFormatter(s, about)),
    );
  for (const [name, about] of section(s.config, 'filters'))
    s.filters.set(
      name,
      named('filter', name, () => makeFilter(s, about)),
    );
  for (const [name] of section(s.config, 'handlers')) handlerNamed(s, name);
  const kept = s.config.get('disable_existing_loggers');
  const isDisabled = kept === undefined || truth(kept);
  const configured = section(s.config, 'loggers').map(([name]) => strOf(name));
  for (const [name, about] of section(s.config, 'loggers'))
    named('logger', name, () => {
      const logger = loggerNamed(s.root, name);
      fillLogger(s, logger, about);
      logger.disabled = false;
    });
  for (const [name, logger] of others.entries() as Iterable<[string, Logger]>) {
    if (configured.includes(name)) continue;
    if (configured.some((parent) => name.startsWith(`${parent}.`))) {
      logger.level = 0;
      logger.handlers = [];
      logger.propagate = true;
    } else logger.disabled = isDisabled;
  }
  const root = s.config.get('root');
  if (root instanceof Dict) named('root logger', undefined, () => fillLogger(s, s.root, root));
}

function fillLogger(s: Setting, logger: Logger, about: Dict): void {
  setLevels(logger, about);
  for (const handler of [...logger.handlers]) logger.removeHandler(handler);
  for (const name of listOf(about.get('handlers'))) {
    const handler = s.handlers.get(name);
    if (handler === undefined) throw new ValueError(`Unable to add handler ${reprOf(name)}`);
    logger.addHandler(handler);
  }
  addFilters(s, logger, about.get('filters'));
}

function addFilters(s: Setting, to: unknown, names: unknown): void {
  for (const name of listOf(names)) {
    const filter = textOf(name) === undefined ? name : s.filters.get(name);
    if (filter === undefined) throw new ValueError(`Unable to add filter ${reprOf(name)}`);
    callMethod(to, 'addFilter', filter);
  }
}

function makeFormatter(s: Setting, about: Dict): unknown {
  if (about.has('()')) return made(s, about, '()');
  const fields = ['format', 'datefmt', 'style', 'validate', 'defaults'].filter((name) => about.has(name));
  const given = fields.map((name) => [name === 'format' ? 'fmt' : name, resolved(s, about.get(name))] as const);
  const cls = about.has('class') ? objectNamed(about.get('class')) : Formatter;
  return callkw(cls, [], given);
}

function makeFilter(s: Setting, about: Dict): unknown {
  return about.has('()') ? made(s, about, '()') : new Filter(about.get('name') ?? '');
}

function handlerNamed(s: Setting, name: unknown): any {
  const known = s.handlers.get(name);
  if (known !== undefined) return known;
  const about = new Map(section(s.config, 'handlers')).get(name);
  if (about === undefined) throw new KeyError(name);
  const handler = named('handler', name, () => makeHandler(s, about));
  setattr(handler, 'name', name);
  s.handlers.set(name, handler);
  return handler;
}

function makeHandler(s: Setting, about: Dict): unknown {
  const taken = new Set(['level', 'formatter', 'filters']);
  const formatter = about.get('formatter');
  if (truth(formatter) && !s.formatters.has(formatter))
    throw new ValueError(`Unable to set formatter ${reprOf(formatter)}`);
  const rest = Dict.from([...about.entries()].filter(([key]) => !taken.has(key as string)));
  // Handlers may name others to which they pass records on.
  const target = rest.get('target');
  if (textOf(target) !== undefined && section(s.config, 'handlers').some(([name]) => name === target))
    rest.set('target', handlerNamed(s, target));
  const handler = made(s, rest, about.has('()') ? '()' : 'class');
  if (truth(formatter)) callMethod(handler, 'setFormatter', s.formatters.get(formatter));
  if (truth(about.get('level'))) callMethod(handler, 'setLevel', about.get('level'));
  addFilters(s, handler, about.get('filters'));
  return handler;
}

/**
 * Gives the object that the class or function under `key` makes of the other entries; those under `.` are attributes.
 */
function made(s: Setting, about: Dict, key: string): unknown {
  const found = about.get(key);
  if (found === undefined) throw new KeyError(key);
  const maker = textOf(found) === undefined ? found : objectNamed(found);
  const attributes = about.get('.');
  const given = [...about.entries()].filter(([name]) => name !== key && name !== '.');
  const one = callkw(
    maker,
    [],
    given.map(([name, value]) => [strOf(name), resolved(s, value)] as const),
  );
  if (attributes instanceof Dict)
    for (const [name, value] of attributes.entries()) setattr(one, strOf(name), resolved(s, value));
  return one;
}

/** `ext://sys.stdout` and `cfg://handlers.file`, also within lists and dictionaries. */
function resolved(s: Setting, value: unknown): unknown {
  if (value instanceof Dict)
    return Dict.from([...value.entries()].map(([name, one]) => [name, resolved(s, one)] as const));
  if (Array.isArray(value)) return value.map((one) => resolved(s, one));
  if (value instanceof Tuple) return new Tuple(value.items.map((one) => resolved(s, one)));
  const text = textOf(value);
  if (text?.startsWith('ext://') === true) return objectNamed(text.slice(6));
  if (text?.startsWith('cfg://') !== true) return value;
  const parts = [...text.slice(6).matchAll(/(?:^|\.)(\w+)|\[(\w+)\]/g)].map((found) => found[1] ?? found[2]!);
  return parts.reduce(
    (at: unknown, part) => getitem(at, at instanceof Dict && !/^\d+$/.test(part) ? part : Number(part)),
    s.config,
  );
}

/** A member of a standard module, or a class of the program, by its dotted name. @throws ValueError */
function objectNamed(given: unknown): unknown {
  if (textOf(given) === undefined) return given;
  const path = strOf(given);
  const parts = path.split('.');
  for (let end = parts.length - 1; end > 0; end -= 1) {
    const module = parts.slice(0, end).join('.');
    if (hasModule(module)) return parts.slice(end).reduce((at: unknown, name) => getattr(at, name), std(module));
  }
  const own = parts[0] === '__main__' ? liveClasses.called(parts.at(-1)!).at(-1) : liveClasses.named(path);
  if (own === undefined) throw new ValueError(`Cannot resolve ${reprOf(path)}`);
  return own;
}

function section(config: Dict, name: string): [unknown, Dict][] {
  const found = config.get(name);
  if (!(found instanceof Dict)) return [];
  return ([...found.entries()] as [unknown, Dict][]).sort(([a], [b]) => (strOf(a) < strOf(b) ? -1 : 1));
}

function listOf(x: unknown): readonly unknown[] {
  return x === undefined || x === null ? [] : itemsOf(x);
}

function loggerNamed(root: Logger, name: unknown): Logger {
  return root.manager.getLogger(name);
}

function allHandlers(root: Logger): any[] {
  return [root, ...(root.manager.loggerDict.values() as Iterable<Logger>)].flatMap((logger) => logger.handlers);
}

/** Runs `act` for one entry; an error in it is raised with the entry's name. */
function named<T>(what: string, name: unknown, act: () => T): T {
  try {
    return act();
  } catch (e) {
    const error: any = new ValueError(`Unable to configure ${what}${name === undefined ? '' : ` ${reprOf(name)}`}`);
    error.__cause__ = caught(e);
    throw error;
  }
}

export function makeLoggingConfig(): Members {
  return functions('logging.config', { dictConfig: ['config', dictConfig] });
}
