import { spawnSync } from 'node:child_process';
import { TestRunner } from 'vitest';
import { noteMissing } from './missing.ts';

const found = new Map<string, string | undefined>();

/**
 * Finds a program that tests judge by; a variable of its name in capitals, with `_` for `-`, names another place. In the gate a missing
 * one is an error; elsewhere the tests that need it are left out, and the end of the run says so.
 */
export function findTool(name: string, debianPackage: string): string | undefined {
  const path = lookFor(name);
  if (path === undefined) refuseInGate(name, debianPackage);
  if (path === undefined) noteMissing(name);
  return path;
}

/** The same for a program that a test is about to start: without it the test that runs is skipped. @throws Error outside of a test */
export function needTool(name: string, debianPackage: string): string {
  const path = lookFor(name);
  if (path !== undefined) return path;
  refuseInGate(name, debianPackage);
  TestRunner.getCurrentTest()?.context.skip(`without ${name}`);
  throw new Error(`${name} is missing: the Debian package ${debianPackage} has it`);
}

function lookFor(name: string): string | undefined {
  if (!found.has(name)) {
    const path = process.env[name.toUpperCase().replaceAll('-', '_')] ?? name;
    found.set(name, spawnSync(path, ['--version']).error === undefined ? path : undefined);
  }
  return found.get(name);
}

function refuseInGate(name: string, debianPackage: string): void {
  if (process.env['CI'] !== undefined)
    throw new Error(`${name} is missing: install the Debian package ${debianPackage}`);
}
