import { meanings } from '../../core/config/option-meanings.ts';
import { envNames, optionAt, optionPaths, tomlKey } from '../../core/config/options.ts';
import { ownVariables } from '../../core/config/own-variables.ts';

/** The reference page of all options, generated from the table the server runs on. */
export function optionsReference(): string {
  const lines = [
    '# Options',
    '',
    'Generated from `core/config/options.ts` and `option-meanings.ts`; `UPDATE=1 npx vitest run test/options/reference.test.ts` writes it',
    'anew. For each key the first source that sets it wins: command line, environment, profile, `svc.toml`, default. **R** marks keys that',
    '`--reload` applies without a restart. Keys without effect in this release are accepted, and who sets one is told so.',
    '',
    'Unknown tables are refused and unknown keys warned about, with the nearest name; `SVC_STRICT_CONFIG=1` refuses both. The same as a',
    'JSON schema, for editors: [svc.toml.schema.json](svc.toml.schema.json).',
  ];
  let table = '';
  for (const path of optionPaths) {
    const key = tomlKey(path);
    const owner = key.slice(0, key.lastIndexOf('.'));
    if (owner !== table) {
      table = owner;
      lines.push('', `## \`[${owner}]\``, '', '| Key | Default | Environment | Meaning |', '| --- | --- | --- | --- |');
    }
    lines.push(`| \`${key.slice(owner.length + 1)}\` | ${defaultText(path)} | ${envText(path)} | ${meaning(path)} |`);
  }
  lines.push('', '## Variables without a key', '', '| Variable | Meaning |', '| --- | --- |');
  for (const [name, about] of Object.entries(ownVariables)) lines.push(`| \`${name}\` | ${about} |`);
  return `${lines.join('\n')}\n`;
}

function defaultText(path: (typeof optionPaths)[number]): string {
  const { default: value, defaultIn } = optionAt(path);
  const shown = value === '' ? '' : `\`${JSON.stringify(value)}\``;
  const byMode = Object.entries(defaultIn ?? {}).map(([mode, other]) => `\`${JSON.stringify(other)}\` in ${mode}`);
  return [shown, ...byMode].filter((part) => part !== '').join('; ');
}

function envText(path: (typeof optionPaths)[number]): string {
  if (optionAt(path).type.kind === 'providers') return '`SSO_<PROVIDER>_CLIENT_ID`, `SSO_<PROVIDER>_CLIENT_SECRET`';
  return envNames(path)
    .map((name) => `\`${name}\``)
    .join(', ');
}

function meaning(path: (typeof optionPaths)[number]): string {
  const { type, reloadable } = optionAt(path);
  const [place, about] = meanings[path];
  const choices =
    type.kind === 'choice' ? ` One of ${type.of.map((item) => `\`${JSON.stringify(item)}\``).join(', ')}.` : '';
  const range = type.kind === 'int' || type.kind === 'number' ? ` ${type.min}–${type.max}.` : '';
  return `${reloadable ? '**R** ' : ''}${about}${choices}${range} ${linkTo(place)}`;
}

/** A link from this page to a section of the documentation, with the name of its page as text. */
function linkTo(place: string): string {
  return `([${/([\w-]+)\.md/.exec(place)![1]}](../${place}))`;
}
