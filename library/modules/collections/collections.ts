/** Modules `collections` and `collections.abc`. */

import type { Members } from '../../builtins/module.ts';
import { fieldNames, makeNamedTuple, requireTypeName } from '../../builtins/namedtuple.ts';
import type { SpecialForm } from '../../builtins/special-form.ts';
import { typingNames } from '../../builtins/typing-names.ts';
import { std } from '../../registry.ts';
import { native } from '../../values/calls/signature.ts';
import { itemsOf } from '../../values/containers/iteration.ts';
import { TypeError } from '../../values/objects/exceptions.ts';
import { truth } from '../../values/objects/truth.ts';
import { abstractForms } from '../typing/abstract-forms.ts';
import { abstractClass, abstractNames } from '../typing/typing-forms.ts';
import { ChainMap } from './chain-map.ts';
import { Counter } from './counter.ts';
import { Deque } from './deque.ts';
import { DefaultDict, OrderedDict } from './ordered-dicts.ts';
import { UserDict, UserList, UserString } from './user.ts';

function namedtuple(name: string, fields: unknown, rename: unknown, defaults: unknown, module: unknown): unknown {
  requireTypeName(name);
  const names = fieldNames(fields, truth(rename));
  const values = defaults === undefined || defaults === null ? [] : itemsOf(defaults);
  if (values.length > names.length) throw new TypeError('Got more default values than field names');
  return makeNamedTuple(name, names, { defaults: values, module: typeof module === 'string' ? module : '__main__' });
}

export function makeCollections(): Members {
  return {
    defaultdict: DefaultDict,
    OrderedDict,
    Counter,
    deque: Deque,
    ChainMap,
    UserDict,
    UserList,
    UserString,
    get abc() {
      return std('collections.abc');
    },
    namedtuple: native('namedtuple', 'typename, field_names, *, rename=False, defaults=None, module=None', namedtuple),
  };
}

/** `collections.abc` */
export function makeCollectionsAbc(): Members {
  const forms = [...abstractNames.split(' ').map((name) => typingNames[name]), ...Object.values(abstractForms)];
  return Object.fromEntries(
    (forms as SpecialForm[]).map((form) => {
      const made = abstractClass(form)!;
      return [made.__name__, made];
    }),
  );
}
