import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { needTool } from './find-tool.ts';
import { repository } from './server.ts';

/** Files that the repository keeps or is about to, by their paths in it. A test that asks is skipped where git or its folder is missing. */
export function repositoryFiles(...patterns: readonly string[]): readonly string[] {
  const git = existsSync(join(repository, '.git')) ? needTool('git', 'git') : needTool('git of this repository', 'git');
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns];
  return execFileSync(git, args, { cwd: repository, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(repository, file)));
}
