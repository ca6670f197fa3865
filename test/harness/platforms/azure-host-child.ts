/**
 * Worker of Azure Functions for Node.js, as far as its part of the programming model goes: it gives `@azure/functions` its `@azure/functions-core`, loads the
 * module that `package.json` names, and runs invocations in the host's own form (`InvocationRequest` of azure-functions-language-worker-protobuf).
 */
import { readFileSync } from 'node:fs';
import Module from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Registered {
  readonly metadata: { readonly name: string; readonly bindings: Record<string, object> };
  readonly callback: unknown;
}

const functions: Record<string, Registered> = {};
let model: any;

const core = {
  version: '1.0.0',
  hostVersion: '4.1040.0',
  workerVersion: '3.12.0',
  registerFunction(metadata: Registered['metadata'], callback: unknown) {
    functions[metadata.name] = { metadata, callback };
    return { dispose() {} };
  },
  registerHook: () => ({ dispose() {} }),
  setProgrammingModel: (given: unknown) => (model = given),
  getProgrammingModel: () => model,
  log() {},
};

// The worker answers for this package in the same way.
Module.prototype.require = new Proxy(Module.prototype.require, {
  apply: (target, self, args) => (args[0] === '@azure/functions-core' ? core : Reflect.apply(target, self, args)),
});

const { main } = JSON.parse(readFileSync('package.json', 'utf8'));
await import(pathToFileURL(resolve(main)).href);
const { HttpUri } = await model.getCapabilities({});
process.send!({ functions: Object.values(functions).map(({ metadata }) => metadata), httpUri: HttpUri });

process.on('message', ({ id, name, request }: { id: string; name: string; request: object }) => {
  invoke(id, name, request).then(
    (response) => process.send!({ id, response }),
    (error: Error) => process.send!({ id, error: String(error.stack) }),
  );
});

async function invoke(invocationId: string, name: string, request: object): Promise<unknown> {
  const { metadata, callback } = functions[name]!;
  const invocation = model.getInvocationModel({ invocationId, metadata, request, state: undefined, log() {} });
  const { context, inputs } = await invocation.getArguments();
  return await invocation.getResponse(context, await invocation.invokeFunction(context, inputs, callback));
}
