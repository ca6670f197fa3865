/** Test blocks in the test explorer: one item per file, one per test below it. */
import {
  type CancellationToken,
  debug,
  type ExtensionContext,
  Location,
  Position,
  Range,
  RelativePattern,
  type TestController,
  type TestItem,
  TestMessage,
  type TestRun,
  TestRunProfileKind,
  type TestRunRequest,
  type TextDocument,
  tests,
  Uri,
  workspace,
} from 'vscode';
import { findSvc, folderOf } from './find-svc.ts';
import { findTests } from './find-tests.ts';
import { runTests, type TestResult } from './run-tests.ts';

const mostFiles = 2000;

export function registerTests(context: ExtensionContext): TestController {
  const controller = tests.createTestController('svc', 'Svc');
  const update = (document: TextDocument) => {
    if (document.languageId === 'svc' && document.uri.scheme === 'file')
      place(controller, document.uri, document.getText());
  };
  controller.resolveHandler = async (item) => {
    if (item === undefined) await findFiles(controller);
  };
  controller.refreshHandler = () => findFiles(controller);
  controller.createRunProfile('Run', TestRunProfileKind.Run, (request, token) => run(controller, request, token), true);
  controller.createRunProfile('Debug', TestRunProfileKind.Debug, (request) => debugTests(controller, request), true);
  workspace.textDocuments.forEach(update);
  context.subscriptions.push(
    controller,
    workspace.onDidOpenTextDocument(update),
    workspace.onDidChangeTextDocument(({ document }) => update(document)),
    workspace.onDidDeleteFiles(({ files }) => {
      for (const file of files) controller.items.delete(file.toString());
    }),
  );
  return controller;
}

/** Runs one test by its name, as a lens or a command asks for it. */
export async function runTest(controller: TestController, uri: Uri, name: string, isDebug: boolean): Promise<void> {
  if (isDebug) {
    await startDebugging(uri, name);
    return;
  }
  const file = controller.items.get(uri.toString());
  const item = file?.children.get(name);
  if (item === undefined) return;
  await run(controller, { include: [item], exclude: undefined, profile: undefined, preserveFocus: true }, undefined);
}

async function findFiles(controller: TestController): Promise<void> {
  for (const folder of workspace.workspaceFolders ?? []) {
    const files = await workspace.findFiles(
      new RelativePattern(folder, '**/*.svc'),
      '**/{node_modules,.svc,dist}/**',
      mostFiles,
    );
    for (const uri of files) {
      const bytes = await workspace.fs.readFile(uri);
      place(controller, uri, new TextDecoder().decode(bytes));
    }
  }
}

/** Items of a file, taken away when no test is left in it. */
function place(controller: TestController, uri: Uri, text: string): void {
  const found = findTests(text);
  const id = uri.toString();
  if (found.length === 0) {
    controller.items.delete(id);
    return;
  }
  const file = controller.items.get(id) ?? controller.createTestItem(id, workspace.asRelativePath(uri), uri);
  const items = found.map(({ name, line }) => {
    const item = controller.createTestItem(name, name === '' ? '(without a name)' : name, uri);
    item.range = new Range(new Position(line, 0), new Position(line, 200));
    return item;
  });
  file.children.replace(items);
  controller.items.add(file);
}

async function run(
  controller: TestController,
  request: TestRunRequest,
  token: CancellationToken | undefined,
): Promise<void> {
  const test = controller.createTestRun(request);
  const stop = new AbortController();
  token?.onCancellationRequested(() => stop.abort());
  for (const [file, items] of byFile(controller, request)) {
    if (stop.signal.aborted) break;
    await runFile(test, file, items, stop.signal);
  }
  test.end();
}

/** Wanted tests by the item of their file. */
function byFile(controller: TestController, { include, exclude }: TestRunRequest): Map<TestItem, TestItem[]> {
  const wanted = new Map<TestItem, TestItem[]>();
  const add = (item: TestItem) => {
    if (exclude?.includes(item)) return;
    if (item.parent === undefined) item.children.forEach(add);
    else wanted.set(item.parent, [...(wanted.get(item.parent) ?? []), item]);
  };
  if (include === undefined) controller.items.forEach(add);
  else include.forEach(add);
  return wanted;
}

async function runFile(test: TestRun, file: TestItem, items: readonly TestItem[], signal: AbortSignal): Promise<void> {
  const folder = folderOf(file.uri);
  const path = file.uri!.fsPath;
  const open = new Map(items.map((item) => [item.id, item]));
  for (const item of items) test.started(item);
  const other = await runTests({
    svc: findSvc(folder),
    cwd: folder?.uri.fsPath ?? Uri.joinPath(file.uri!, '..').fsPath,
    file: path,
    filter: items.length === 1 && items[0]!.id !== '' ? items[0]!.id : undefined,
    signal,
    onResult(result) {
      const item = open.get(result.name);
      if (item === undefined) return;
      open.delete(result.name);
      tell(test, item, result, file.uri!);
    },
  });
  for (const item of open.values()) test.errored(item, new TestMessage(other || 'The test did not run.'));
}

function tell(test: TestRun, item: TestItem, result: TestResult, uri: Uri): void {
  if (result.output !== '') test.appendOutput(result.output.replace(/\r?\n/g, '\r\n'), undefined, item);
  if (result.status === 'passed') test.passed(item, result.ms);
  else if (result.status === 'skipped') test.skipped(item);
  else {
    const message = new TestMessage(result.error?.text ?? result.error?.message ?? result.status);
    const at = new Position(
      Math.max(0, (result.error?.line ?? result.line) - 1),
      Math.max(0, (result.error?.col ?? 1) - 1),
    );
    message.location = new Location(uri, at);
    if (result.status === 'failed') test.failed(item, message, result.ms);
    else test.errored(item, message, result.ms);
  }
}

async function debugTests(controller: TestController, request: TestRunRequest): Promise<void> {
  const [first] = byFile(controller, request);
  const [file, items] = first ?? [];
  if (file?.uri === undefined) return;
  await startDebugging(file.uri, items?.length === 1 ? items[0]!.id : '');
}

async function startDebugging(uri: Uri, test: string): Promise<void> {
  const name = test === '' ? 'Debug tests' : `Debug test ${test}`;
  await debug.startDebugging(folderOf(uri), { type: 'svc', request: 'launch', name, program: uri.fsPath, test });
}
