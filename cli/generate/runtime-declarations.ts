/**
 * Types of the part of a client that is the same for every program, as a `.d.ts` file declares them. Taken from its text, which is laid out by
 * a formatter: a statement begins and ends at the beginning of a line.
 */

const comment = String.raw`(?:/\*\*(?:(?!\*/)[\s\S])*\*/\n)?`;
const types = new RegExp(
  String.raw`^${comment}(?:export )?(?:interface [\s\S]*?^\}|type [\s\S]*?;(?=\n\n|\n?$(?![\s\S])))`,
  'gm',
);
const errorClass = new RegExp(String.raw`^${comment}export class ApiError [\s\S]*?^\}`, 'm');

/** Gives a block of text for each. */
export function declarationsOf(typescript: string): readonly string[] {
  const [error] = errorClass.exec(typescript)!;
  const declared = error
    .replace('export class', 'export declare class')
    .replace(
      /^ {2}constructor\([\s\S]*?^ {2}\) \{[\s\S]*?^ {2}\}/m,
      (text) =>
        `${text.slice(0, text.indexOf('\n  ) {')).replace(/^( {4}\w+): (\{[\s\S]*?^ {4}\}) = \{\}/m, '$1?: $2')}\n  );`,
    );
  return [declared, ...[...typescript.matchAll(types)].map(([text]) => text)];
}
