/** Module `warnings`. */

import { functions, type Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { call } from '../values/calls/calls.ts';
import { callerFrame } from '../values/calls/stack-frames.ts';
import { tuple } from '../values/containers/tuple.ts';
import {
  AssertionError,
  Exception,
  RuntimeError,
  TypeError,
  UserWarning,
  Warning,
} from '../values/objects/exceptions.ts';
import { $repr, $str } from '../values/objects/protocol.ts';
import { strOf } from '../values/objects/repr.ts';
import { truth } from '../values/objects/truth.ts';
import { className, typeName } from '../values/objects/type-name.ts';
import { quote } from '../values/text/string-repr.ts';
import { writeTo } from './traceback.ts';

interface Filter {
  readonly action: string;
  readonly category: any;
  readonly message: RegExp | undefined;
}

class WarningMessage {
  readonly message: unknown;
  readonly category: unknown;
  readonly filename: string;
  readonly lineno: number;
  readonly file = null;
  readonly line = null;
  readonly source = null;

  constructor(message: unknown, category: unknown, filename: string, lineno: number) {
    this.message = message;
    this.category = category;
    this.filename = filename;
    this.lineno = lineno;
  }

  [$str](): string {
    return `{message : ${strOf(this.message)}, category : ${quote(className(this.category))}, filename : ${quote(this.filename)}, lineno : ${this.lineno}, line : None}`;
  }

  [$repr](): string {
    return `<warnings.WarningMessage ${this[$str]()}>`;
  }
}
nativeClass(WarningMessage, { name: 'WarningMessage', module: 'warnings' });

function textOfWarning(message: unknown, category: any, filename: string, lineno: number, line?: unknown): string {
  const source = typeof line === 'string' && line.trim() !== '' ? `  ${line.trim()}\n` : '';
  return `${filename}:${lineno}: ${className(category)}: ${strOf(message)}\n${source}`;
}

export function makeWarnings(): Members {
  let filters: Filter[] = [];
  let shown = new Set<string>();
  let record: unknown[] | undefined;

  const actionFor = (text: string, category: any): string => {
    const found = filters.find(
      (one) =>
        (category === one.category || category.prototype instanceof one.category) &&
        (one.message === undefined || one.message.test(text)),
    );
    return found?.action ?? 'default';
  };
  const show = (message: unknown, category: unknown, filename: string, lineno: number) => {
    if (record !== undefined) record.push(new WarningMessage(message, category, filename, lineno));
    else writeTo(undefined, textOfWarning(message, category, filename, lineno));
  };
  const explicit = (given: any, kind: any, filename: string, lineno: number): null => {
    const isWarning = given instanceof Warning;
    const category: any = isWarning ? given.constructor : (kind ?? UserWarning);
    if (typeof category !== 'function' || !(category === Warning || category.prototype instanceof Warning)) {
      throw new TypeError(
        `category must be a Warning subclass, not '${typeof category === 'function' ? 'type' : typeName(category)}'`,
      );
    }
    const message = isWarning ? given : call(category, given);
    const text = strOf(message);
    const action = actionFor(text, category);
    if (action === 'ignore') return null;
    if (action === 'error') throw message instanceof Exception ? message : new UserWarning(text);
    const place =
      action === 'once' ? text : action === 'module' ? `${filename} ${text}` : `${filename}:${lineno} ${text}`;
    if (action !== 'always' && shown.has(`${className(category)} ${place}`)) return null;
    shown.add(`${className(category)} ${place}`);
    show(message, category, filename, lineno);
    return null;
  };
  const addFilter = (action: unknown, category: any, message: unknown, append: unknown): null => {
    const name = strOf(action);
    if (!['default', 'error', 'ignore', 'always', 'module', 'once'].includes(name))
      throw new AssertionError(`invalid action: ${quote(name)}`);
    const pattern =
      message === undefined || message === null || message === ''
        ? undefined
        : new RegExp(`^(?:${strOf(message)})`, 'i');
    const made = { action: name, category: category ?? Warning, message: pattern };
    if (truth(append)) filters.push(made);
    else filters.unshift(made);
    shown = new Set();
    return null;
  };

  /** Restores filters at the end; with `record=True` it gives the list of what is warned about. */
  class CatchWarnings {
    readonly $record: boolean;
    readonly $action: unknown;
    readonly $category: unknown;
    $before: [Filter[], unknown[] | undefined] | undefined;

    constructor(wanted: unknown, action: unknown, category: unknown) {
      this.$record = truth(wanted);
      this.$action = action ?? null;
      this.$category = category;
    }

    __enter__(): unknown {
      if (this.$before !== undefined) throw new RuntimeError('Cannot enter catch_warnings twice');
      this.$before = [filters, record];
      filters = [...filters];
      shown = new Set();
      if (this.$action !== null) addFilter(this.$action, this.$category, undefined, undefined);
      if (!this.$record) return null;
      record = [];
      return record;
    }

    __exit__(): null {
      [filters, record] = this.$before ?? [filters, record];
      return null;
    }
  }
  nativeClass(CatchWarnings, {
    name: 'catch_warnings',
    module: 'warnings',
    params: '*, record=False, module=None, action=None, category=None, lineno=0, append=False',
    make: (cls, wanted, _module, action, category) => new cls(wanted, action, category),
  });

  return {
    WarningMessage,
    catch_warnings: CatchWarnings,
    get filters() {
      return filters.map((one) => tuple(one.action, null, one.category, null, 0));
    },
    ...functions('warnings', {
      filterwarnings: [
        'action, message="", category=None, module="", lineno=0, append=False',
        (
          action: unknown,
          message?: unknown,
          category?: unknown,
          _module?: unknown,
          _line?: unknown,
          append?: unknown,
        ) => addFilter(action, category, message, append),
      ],
      formatwarning: ['message, category, filename, lineno, line=None', textOfWarning],
      resetwarnings: [
        '',
        () => {
          filters = [];
          return null;
        },
      ],
      showwarning: [
        'message, category, filename, lineno, file=None, line=None',
        (message: unknown, category: unknown, filename: string, lineno: number, file?: unknown) =>
          writeTo(file, textOfWarning(message, category, filename, lineno)),
      ],
      simplefilter: [
        'action, category=None, lineno=0, append=False',
        (action: unknown, category?: unknown, _line?: unknown, append?: unknown) =>
          addFilter(action, category, undefined, append),
      ],
      warn: [
        'message, category=None, stacklevel=1, source=None',
        (message: unknown, category?: unknown) => {
          const at = callerFrame();
          return explicit(message, category, at?.file ?? '<string>', at?.line ?? 1);
        },
      ],
      warn_explicit: ['message, category, filename, lineno, module=None', explicit],
    }),
  };
}
