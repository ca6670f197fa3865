import type { Change, DeployPlan, FieldChange } from '../../infra/targets/target.ts';

const signs = { create: '+', change: '~', replace: '!', delete: '-', keep: '=' } as const;

/** A plan for people: a line for each object, below it the fields that change. */
export function planText({ changes, digest, place, rights }: DeployPlan): string {
  const counts = (Object.keys(signs) as (keyof typeof signs)[])
    .map((kind) => [kind, changes.filter((change) => change.kind === kind).length] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} to ${kind}`);
  return [
    ...changes.flatMap(changeLines),
    `plan for ${place}: ${counts.join(', ')}`,
    `digest: ${digest}`,
    `rights: ${rights.join('; ')}`,
    '',
  ].join('\n');
}

function changeLines({ kind, object, fields, losesData }: Change): string[] {
  return [`${signs[kind]} ${object}${losesData ? '  (its data are lost)' : ''}`, ...fields.map(fieldLine)];
}

function fieldLine({ path, from, to }: FieldChange): string {
  return `    ${path}: ${from ?? '(absent)'} -> ${to ?? '(absent)'}`;
}
