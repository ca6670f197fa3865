/**
 * Names in generated code for names of the source (docs/language/generated-code.md#contracts). A `$` never occurs in a
 * source name, so everything that has one is the compiler's own.
 */

// Words JavaScript reserves (strict mode, modules), and the globals generated code itself uses.
const taken = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for ' +
    'function if implements import in instanceof interface let new null package private protected public return static super switch ' +
    'this throw true try typeof var void while with yield undefined NaN Infinity globalThis Array BigInt Boolean Error Map Math Number ' +
    'Object Promise Reflect Set String Symbol'
  ).split(' '),
);

// The same list as `key` of library/values/objects/protocol.ts.
const machinery = new Set(
  (
    'constructor prototype then toString toLocaleString valueOf toJSON hasOwnProperty isPrototypeOf propertyIsEnumerable __proto__ ' +
    '__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__'
  ).split(' '),
);

/** A variable, function or class. */
export function identifier(name: string): string {
  return taken.has(name) ? `${name}$` : name;
}

/** The name a declaration is exported by: `import()` would take a module that exports a function `then` for a promise. */
export function exportName(name: string): string {
  return name === 'then' ? 'then$' : name;
}

/** An attribute as a JavaScript property name. */
export function property(name: string): string {
  return machinery.has(name) ? `${name}$` : name;
}

/** The name a method has in the class: constructors are known by their short names. */
export function methodName(name: string): string {
  if (name === '__init__') return 'init';
  if (name === '__post_init__') return 'postinit';
  return property(name);
}

/** JavaScript string literal without control characters, so that marks cannot be confused with text. */
export function quote(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  return JSON.stringify(text).replace(
    /[\x7f-\x9f\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const plain = /^[ !#-[\]-~]*$/;

/** Property name in an object literal or class body; `__proto__` is already renamed by `property`. */
export function objectKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}
