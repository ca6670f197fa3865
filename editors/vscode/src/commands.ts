/** Commands of the palette and of code lenses, and the task `check`, whose findings become problems. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  commands,
  debug,
  type ExtensionContext,
  env,
  ShellExecution,
  Task,
  type TaskDefinition,
  TaskScope,
  type TestController,
  tasks,
  Uri,
  type WorkspaceFolder,
  window,
  workspace,
} from 'vscode';
import { findSvc, folderOf } from './find-svc.ts';
import { findTests } from './find-tests.ts';
import type { GraphPanel } from './graph-panel.ts';
import { runTest } from './test-explorer.ts';

interface Parts {
  readonly controller: TestController;
  readonly graph: GraphPanel;
  readonly restart: () => Promise<void>;
}

/** Place of a lens of the language server, or nothing: then it is that of the cursor. */
interface Target {
  readonly uri: string;
  /** Name of a walker, a function or a test; '' for an entry block. */
  readonly name: string;
}

export function registerCommands(context: ExtensionContext, { controller, graph, restart }: Parts): void {
  const test = (isDebug: boolean) => (target?: Target) => {
    const at = target === undefined ? testAtCursor() : { uri: Uri.parse(target.uri), name: target.name };
    return at && runTest(controller, at.uri, at.name, isDebug);
  };
  const table: Readonly<Record<string, (target?: Target) => unknown>> = {
    'svc.run': (target) => tasks.executeTask(target === undefined ? startTask() : runTask(target)),
    'svc.debug': debugProgram,
    'svc.check': () => tasks.executeTask(taskOf('check', [], folderOf())),
    'svc.runTest': test(false),
    'svc.debugTest': test(true),
    'svc.stories': (target) => target && tasks.executeTask(storiesTask(target)),
    'svc.call': () => env.openExternal(Uri.parse(`${addressOfServer()}/docs`)),
    'svc.showGraph': () => graph.show(),
    'svc.restartServer': restart,
  };
  // Menus give a Uri, lenses a target.
  for (const [name, call] of Object.entries(table))
    context.subscriptions.push(
      commands.registerCommand(name, (given) => call(typeof given?.uri === 'string' ? given : undefined)),
    );
  context.subscriptions.push(
    tasks.registerTaskProvider('svc', {
      provideTasks: () => [taskOf('check', [], folderOf()), taskOf('test', [], folderOf())],
      resolveTask: ({ definition, scope }) => {
        const folder = typeof scope === 'object' ? scope : folderOf();
        return taskOf(definition['command'], definition['args'] ?? [], folder, definition);
      },
    }),
  );
}

/** Serves the project, without svc.toml the program in the editor. */
function startTask(): Task {
  const document = window.activeTextEditor?.document;
  const folder = folderOf();
  const isProject = folder !== undefined && existsSync(join(folder.uri.fsPath, 'svc.toml'));
  return taskOf('start', isProject || document?.languageId !== 'svc' ? [] : [document.uri.fsPath], folder);
}

function runTask({ uri, name }: Target): Task {
  const file = Uri.parse(uri);
  return taskOf('run', [file.fsPath, ...(name === '' ? [] : ['--entry', name])], folderOf(file));
}

/** Lists the last calls of a walker or function of the running server. */
function storiesTask({ uri, name }: Target): Task {
  return taskOf('story', ['--last', '--walker', name], folderOf(Uri.parse(uri)));
}

function taskOf(
  command: string,
  args: readonly string[],
  folder: WorkspaceFolder | undefined,
  definition: TaskDefinition = { type: 'svc', command, args },
): Task {
  const svc = findSvc(folder);
  const shell = new ShellExecution(svc.command, [...svc.args, command, ...args], folder && { cwd: folder.uri.fsPath });
  return new Task(definition, folder ?? TaskScope.Workspace, command, 'svc', shell, command === 'check' ? '$svc' : []);
}

function debugProgram(target: Target | undefined): Thenable<boolean> {
  const uri = target && Uri.parse(target.uri);
  const entry = target === undefined || target.name === '' ? {} : { entry: target.name };
  const program = uri && { program: uri.fsPath };
  return debug.startDebugging(folderOf(uri), {
    type: 'svc',
    request: 'launch',
    name: 'Debug program',
    ...program,
    ...entry,
  });
}

function addressOfServer(): string {
  return (workspace.getConfiguration('svc').get<string>('server') || 'http://localhost:8000').replace(/\/$/, '');
}

/** The last test that begins at or above the cursor. */
function testAtCursor(): { readonly uri: Uri; readonly name: string } | undefined {
  const editor = window.activeTextEditor;
  if (editor === undefined) return undefined;
  const { line } = editor.selection.active;
  const found = findTests(editor.document.getText()).findLast((test) => test.line <= line);
  return found && { uri: editor.document.uri, name: found.name };
}
