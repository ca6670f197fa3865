/** A page as a terminal shows it: headline without its sign, blocks indented, no remarks for tests. */
export function showPage(markdown: string, strong: (headline: string) => string): string {
  const shown: string[] = [];
  let isBlock = false;
  for (const line of markdown.trimEnd().split('\n')) {
    const fence = /^```(?:\w+(?: (\S+))?)?$/.exec(line);
    if (fence !== null) {
      isBlock = !isBlock;
      if (isBlock && fence[1] !== undefined) shown.push(`    ${fence[1]}:`, '');
    } else if (isBlock) shown.push(line === '' ? '' : `    ${line}`);
    else if (line.startsWith('# ')) shown.push(strong(line.slice(2)));
    else if (!line.startsWith('<!--')) shown.push(line);
  }
  return `${shown.join('\n')}\n`;
}
