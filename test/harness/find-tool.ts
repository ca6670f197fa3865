import { spawnSync } from 'node:child_process';

/**
 * Finds a program that tests judge by; a variable of its name in capitals names another place. In the gate a missing
 * one is an error; elsewhere the tests that need it are left out.
 */
export function findTool(name: string, debianPackage: string): string | undefined {
  const path = process.env[name.toUpperCase()] ?? name;
  if (spawnSync(path, ['--version']).error === undefined) return path;
  if (process.env['CI'] !== undefined)
    throw new Error(`${name} is missing: install the Debian package ${debianPackage}`);
  return undefined;
}
