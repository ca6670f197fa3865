// The service's side of the runtime interface of functions: hands out events, takes answers. Enough for a process of `aws-lambda-ric`.
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

/**
 * Starts a process for one instance and gives it the events one after another. Gives the answers, and the milliseconds from the start of
 * the process to each of them.
 */
export async function invoke({ program, folder, handler, env, events }) {
  const answers = [];
  const times = [];
  let failure;
  let given = 0;
  let startedMs = 0;
  let child;
  const service = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.url.endsWith('/invocation/next')) {
      if (given === events.length) return; // A frozen instance waits.
      response.setHeader('Lambda-Runtime-Aws-Request-Id', `event-${given}`);
      response.setHeader('Lambda-Runtime-Deadline-Ms', String(Date.now() + 29_000));
      response.setHeader('Lambda-Runtime-Invoked-Function-Arn', 'arn:aws:lambda:eu-west-1:123456789012:function:bench');
      // Its client reads these, and a body of known length only.
      response.setHeader('Lambda-Runtime-Trace-Id', 'Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Sampled=0');
      const event = Buffer.from(JSON.stringify(events[given++]));
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': event.length }).end(event);
      return;
    }
    times.push(performance.now() - startedMs);
    if (request.url.endsWith('/response')) answers.push(JSON.parse(body));
    else failure = new Error(`the function failed: ${body}`);
    response.writeHead(202).end();
    if (failure !== undefined || answers.length === events.length) child.kill('SIGKILL');
  });
  await new Promise((resolve) => service.listen(0, '127.0.0.1', resolve));
  startedMs = performance.now();
  child = spawn(process.execPath, [program, handler], {
    cwd: folder,
    env: {
      ...env,
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${service.address().port}`,
      LAMBDA_TASK_ROOT: folder,
      _HANDLER: handler,
      AWS_LAMBDA_FUNCTION_NAME: 'bench',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
      AWS_LAMBDA_LOG_GROUP_NAME: 'bench',
      AWS_LAMBDA_LOG_STREAM_NAME: 'bench',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (chunk) => (printed += chunk));
  const ended = await new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)));
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
  if (failure !== undefined) throw failure;
  if (answers.length < events.length) throw new Error(`the function ended (${ended}) before it answered\n${printed}`);
  return { answers, times };
}
