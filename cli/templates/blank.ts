import { commonFiles } from './common.ts';
import type { Template } from './template.ts';

export const blank: Template = {
  name: 'blank',
  about: 'one walker and nothing else',
  files: ({ name }) => ({
    ...commonFiles(name, ''),
    'main.svc': program,
    'README.md': `# ${name}\n\n\`svc start\` serves it.\n`,
  }),
};

const program = `walker:pub Hello {
    has name: str = "world";

    can greet with Root entry {
        report f"Hello, {self.name}!";
    }
}
`;
