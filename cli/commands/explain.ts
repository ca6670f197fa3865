import { didYouMean } from '../../base/did-you-mean.ts';
import type { Command } from '../command.ts';
import { usageFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CodePage, readPages } from '../explain/pages.ts';
import { showPage } from '../explain/show-page.ts';
import { hasColour, type Terminal } from '../terminal.ts';

export const command: Command = {
  name: 'explain',
  operands: '[code]',
  arity: [0, 1],
  about: 'Says what the code of a diagnostic, failed request or closed socket means.',
  options: [],
  examples: [
    ['svc explain E0410', 'the page of a diagnostic'],
    ['svc explain 422', 'what requests fail with that status'],
  ],
  notes: ['Without a code it lists all of them.'],
  async run({ operands, terminal }) {
    const pages = readPages();
    const [asked] = operands;
    if (asked === undefined) terminal.out(listOf(pages));
    else terminal.out(pageFor(asked, pages, terminal));
    return exitCodes.success;
  },
};

/** A page, or a list when a status stands for several codes. @throws CommandFailure for a code there is not */
function pageFor(asked: string, pages: readonly CodePage[], terminal: Terminal): string {
  const code = asked.toUpperCase().replaceAll('-', '_');
  const found = pages.filter((one) => one.code === code || one.title.endsWith(`(status ${code})`));
  const strong = hasColour(terminal, 'out') ? (text: string) => `\x1b[1m${text}\x1b[0m` : (text: string) => text;
  if (found.length === 1) return showPage(found[0]!.text, strong);
  if (found.length > 1) return listOf(found);
  const nearest = didYouMean(
    code,
    pages.map((one) => one.code),
  );
  throw usageFailure(`explain ${asked}`, 'no such code', [
    nearest === undefined ? 'svc explain lists them' : `did you mean svc explain ${nearest}?`,
  ]);
}

function listOf(pages: readonly CodePage[]): string {
  const width = Math.max(...pages.map(({ code }) => code.length)) + 2;
  const most = 80 - width;
  return pages
    .map(({ code, title }) => {
      const short = title.replace(/ \([^()]*\)$/, '');
      return `${code.padEnd(width)}${short.length > most ? `${short.slice(0, most - 1)}…` : short}\n`;
    })
    .join('');
}
