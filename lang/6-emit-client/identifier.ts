/** The spelling of a name of the source where JavaScript reserves the word. */

// Words that JavaScript reserves in modules.
const reserved = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for ' +
    'function if implements import in instanceof interface let new null package private protected public return static super switch ' +
    'this throw true try typeof var void while with yield'
  ).split(' '),
);

export function identifier(name: string): string {
  return reserved.has(name) ? `${name}$` : name;
}
