/**
 * Calls of methods on values whose kind is not known: the method that Python has for the kind, then a member of the value itself, else
 * AttributeError (language reference, methods on the client).
 */
import { once } from './bound.ts';
import { construct, isClass, positions } from './calls.ts';
import { AttributeError } from './exceptions.ts';
import { isMember, isPlain, typeName } from './kinds.ts';
import { bytesMethods } from './methods/bytes.ts';
import { dictMethods } from './methods/dict.ts';
import { listMethods } from './methods/list.ts';
import type { Methods } from './methods/methods.ts';
import { setMethods } from './methods/set.ts';
import { textMethods } from './methods/text.ts';

export function method(receiver: any, name: string, ...args: any[]): any {
  return methodKw(receiver, name, args, {});
}

export function methodKw(receiver: any, name: string, args: any[], named: Record<string, any>): any {
  const own = methodsOf(receiver);
  const python = own !== undefined && Object.hasOwn(own, name) ? own[name] : undefined;
  // `xs.sort((a, b) => …)` is JavaScript's.
  if (python !== undefined && !isNative(receiver, name, args)) return python(receiver, args, named);
  const member = receiver?.[name];
  // `Tone.LOW.upper()`: a member does what its value does.
  if (typeof member !== 'function' && isMember(receiver)) return methodKw(receiver.value, name, args, named);
  if (typeof member !== 'function')
    throw new AttributeError(`'${typeName(receiver)}' object has no attribute '${name}'`);
  if (Object.keys(named).length > 0) {
    if (member.$kw !== undefined) return member.$kw(args, named);
    if (isClass(member)) return construct(member, args, named);
  }
  return member.apply(receiver, positions(member, args, named));
}

/** `prices.get` as a value: the method of a built-in type with its object; a dict may have a field of the name. */
export function boundOfType(receiver: any, name: string): any {
  if (isPlain(receiver) && receiver[name] !== undefined) return receiver[name];
  return once(
    receiver,
    name,
    () =>
      (...args: any[]) =>
        methodKw(receiver, name, args, {}),
  );
}

/** `str.strip`: the method of a built-in type as a function, which takes the object first. */
export function unbound(name: string): (receiver: any, ...args: any[]) => any {
  return (receiver, ...args) => methodKw(receiver, name, args, {});
}

function methodsOf(receiver: any): Methods | undefined {
  if (typeof receiver === 'string') return textMethods;
  if (Array.isArray(receiver)) return listMethods;
  if (receiver instanceof Set) return setMethods;
  if (receiver instanceof Uint8Array) return bytesMethods;
  if (!isPlain(receiver)) return undefined;
  return dictMethods;
}

function isNative(receiver: any, name: string, args: any[]): boolean {
  const [first] = args;
  if (typeof receiver === 'string') {
    if (name === 'replace') return first instanceof RegExp || typeof args[1] === 'function';
    return name === 'split' && first instanceof RegExp;
  }
  if (Array.isArray(receiver)) return name === 'sort' && typeof first === 'function';
  // A dict with a function under that name is an object with a method.
  return isPlain(receiver) && typeof receiver[name] === 'function';
}
