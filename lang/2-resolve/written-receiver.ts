/**
 * Is the first parameter of a `class def` the class? The modifier gives a receiver without one being written (language.md 2.7), so only a
 * parameter with a name for a class is it, in a `class` too (decisions/0295).
 */
export function isWrittenReceiver(name: string | undefined): boolean {
  return name !== undefined && /^_*(cls|self|klass|kls|clazz|mcs)$/.test(name);
}
