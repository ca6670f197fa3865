import { commonFiles } from './common.ts';
import { storedFiles } from './stored-files.ts';
import type { Template } from './template.ts';

/** The same application with styles of its own and with Tailwind: what they share stands in `web/`. */
export const web: Template = {
  name: 'web',
  about: 'sign-in, pages, a list that walkers keep, tests in a browser',
  files: ({ name }) => ({ ...fullStack(name, ''), ...storedFiles('web', name) }),
};

export const webTailwind: Template = {
  name: 'web-tailwind',
  about: 'the same with Tailwind',
  files: ({ name }) => ({
    ...fullStack(name, 'tailwindcss = "^4.3.3"\n"@tailwindcss/vite" = "^4.3.3"\n'),
    ...storedFiles('web', name),
    ...storedFiles('web-tailwind', name),
  }),
};

function fullStack(name: string, packages: string): Readonly<Record<string, string>> {
  const common = commonFiles(name, 'A to-do list with pages.');
  return {
    ...common,
    'svc.toml': `${common['svc.toml']}
[client.app_meta_data]
title = "${name}"
description = "A to-do list"
icon = "/favicon.svg"

[dependencies.npm]
react = "^19.3.1"
react-dom = "^19.3.1"
react-router-dom = "^7.18.5"
${packages}
[dependencies.npm.dev]
vite = "^8.3.8"
"@vitejs/plugin-react" = "^6.3.0"
"@testing-library/dom" = "^10.4.2"
"@testing-library/react" = "^16.3.3"
"@testing-library/user-event" = "^14.6.13"
happy-dom = "^21.0.4"
playwright-core = "^1.65.1"
axe-core = "^4.14.1"
`,
  };
}
