/**
 * Gives the value of `import leftish;` for a JavaScript package: its exports, or for a package that exports one value
 * that value.
 */
export function jsModule(namespace: any): unknown {
  if ('module.exports' in namespace) return namespace['module.exports'];
  const hasMembers = Object.keys(namespace).some((name) => name !== 'default' && name !== '__esModule');
  return hasMembers ? namespace : (namespace.default ?? namespace);
}
