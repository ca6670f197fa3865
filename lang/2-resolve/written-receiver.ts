/**
 * Is the first parameter of a `class def` the class? The modifier gives a receiver without one being written
 * (docs/language/functions.md#results), so only a parameter with a name for a class is it, in a `class` too
 * (docs/language/functions.md#modifiers).
 */
export function isWrittenReceiver(name: string | undefined): boolean {
  return name !== undefined && /^_*(cls|self|klass|kls|clazz|mcs)$/.test(name);
}
