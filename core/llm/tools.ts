/** Functions and methods of the program that a model may call (`tools=[…]`). */

import { specOf } from '../../library/classes/func.ts';
import type { FunctionSpec } from '../../library/classes/spec.ts';
import { loads } from '../../library/modules/json/json.ts';
import { callkw } from '../../library/values/calls/calls.ts';
import { caught } from '../../library/values/calls/raise.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { toArray } from '../../library/values/containers/iteration.ts';
import { Exception, TypeError } from '../../library/values/objects/exceptions.ts';
import { strOf } from '../../library/values/objects/repr.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { conform, Misfit } from './conform.ts';
import { parametersSchema, type Schema } from './schema.ts';
import { showValue } from './show-value.ts';
import { joined } from './type-words.ts';
import type { Tool, ToolRequest } from './types.ts';

/** @throws TypeError for what is no function of the program */
export function toolsIn(given: unknown): Tool[] {
  if (given === undefined || given === null) return [];
  const names = new Set<string>();
  return toArray(given).map((fn) => {
    const spec = specOf(fn);
    if (spec === undefined)
      throw new TypeError(`a tool must be a function or method of the program, not '${typeName(fn)}'`);
    const base = spec.name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 60);
    let name = base;
    for (let n = 2; names.has(name); n++) name = `${base}_${n}`;
    names.add(name);
    return { name, description: joined(spec.sem?.[''], spec.doc) ?? '', parameters: schemaOf(spec), spec, fn };
  });
}

function schemaOf(spec: FunctionSpec): Schema {
  return parametersSchema(
    ordinary(spec).map(({ name, type, default: fallback, doc }) => ({
      name,
      type,
      meaning: spec.sem?.[name] ?? doc,
      isOptional: fallback !== undefined,
    })),
  );
}

// `*args` and `**kwargs` have no place in a schema.
function ordinary(spec: FunctionSpec) {
  return spec.params.filter(({ kind }) => kind !== 'args' && kind !== 'kwargs');
}

/**
 * Runs a tool and gives its result as text for the model. A failure is text as well: the model may try something else.
 */
export async function runTool(tools: readonly Tool[], request: ToolRequest): Promise<string> {
  const tool = tools.find(({ name }) => name === request.name);
  if (tool === undefined) return `Error: there is no tool ${request.name}`;
  try {
    const value = await callkw(tool.fn, ...argumentsOf(tool.spec, request.arguments));
    return typeof value === 'string' ? value : showValue(value ?? null, []);
  } catch (error) {
    if (error instanceof Misfit) return `Error: ${error.message}`;
    const raised = caught(error); // replays and time limits pass through
    if (!(raised instanceof Exception)) throw raised;
    return `Error: ${typeName(raised)}: ${strOf(raised)}`;
  }
}

function argumentsOf(spec: FunctionSpec, text: string): [unknown[], [string, unknown][]] {
  const given = text.trim() === '' ? new Dict() : loads(text);
  if (!(given instanceof Dict)) throw new Misfit(`arguments: expected an object, got ${text.slice(0, 120)}`);
  const positional: unknown[] = [];
  const named: [string, unknown][] = [];
  for (const [name, value] of given.entries()) {
    const param = ordinary(spec).find((one) => one.name === name);
    if (param === undefined) throw new Misfit(`arguments: ${spec.name} has no parameter ${strOf(name)}`);
    const fitted = conform(value, param.type, param.name);
    if (param.kind === 'pos') positional[spec.params.indexOf(param)] = fitted;
    else named.push([param.name, fitted]);
  }
  return [positional, named];
}
