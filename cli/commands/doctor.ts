import { readConfig } from '../../adapters/config/read-config.ts';
import { configOption, flagType } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { type Check, exitCodeOf, type Finding } from '../doctor/finding.ts';
import { checkAddress, checkProviders, checkTraces } from '../doctor/network.ts';
import { checkSecrets } from '../doctor/secrets.ts';
import { checkDotEnv, checkForProduction, checkSettings } from '../doctor/settings.ts';
import { checkDataFolder, checkKeyValueStore, checkStorageType, checkStore } from '../doctor/storage.ts';
import { checkClock, checkDrivers, checkLimits, checkNode } from '../doctor/surroundings.ts';
import { version } from '../version.ts';

const checks: readonly Check[] = [
  (patient) => checkNode(patient),
  checkDrivers,
  (patient) => checkClock(patient),
  (patient) => checkLimits(patient),
  checkSettings,
  checkForProduction,
  checkDotEnv,
  checkSecrets,
  checkDataFolder,
  checkStore,
  checkStorageType,
  checkKeyValueStore,
  checkProviders,
  checkTraces,
  checkAddress,
];

const marks = { ok: 'ok  ', note: 'note', bad: 'BAD ' } as const;

export const command: Command = {
  name: 'doctor',
  operands: '',
  arity: [0, 0],
  about: 'Looks for what keeps svc start from working. Changes nothing.',
  examples: [
    ['svc doctor', 'what there is to say, in words'],
    ['svc doctor --json', 'for programs'],
  ],
  options: [
    { name: 'json', type: flagType, about: 'One JSON object per finding: check, state (ok, note, bad), text, hint.' },
    configOption,
  ],
  notes: [
    'Exits with the code svc start would end with: 3 for the configuration, 7 for what is missing or unreachable, 4 for the address; 1 for other faults.',
  ],
  async run({ options, terminal }) {
    const read = readConfig({
      startDir: terminal.cwd,
      cwd: terminal.cwd,
      env: terminal.env,
      configFile: options['config'] as string | undefined,
      isTerminal: terminal.isErrTerminal,
    });
    const isJson = options['json'] === true;
    if (!isJson) terminal.out(`svc ${version}\n`);
    const findings: Finding[] = [];
    for (const check of checks) {
      for (const finding of await check({ read, terminal })) {
        findings.push(finding);
        terminal.out(isJson ? jsonLine(finding) : textLine(finding));
      }
    }
    const bad = findings.filter(({ state }) => state === 'bad').length;
    if (bad > 0) terminal.err(`svc: doctor: ${bad} ${bad === 1 ? 'fault' : 'faults'}, marked above\n`);
    return exitCodeOf(findings);
  },
};

function textLine({ state, text, hint }: Finding): string {
  return `  ${marks[state]}  ${text}\n${hint === undefined ? '' : `        hint: ${hint}\n`}`;
}

function jsonLine({ check, state, text, hint }: Finding): string {
  return `${JSON.stringify({ check, state, text, ...(hint === undefined ? {} : { hint }) })}\n`;
}
