/** The debugger: `svc debug --dap`, one process per session. */
import {
  type DebugAdapterDescriptor,
  DebugAdapterExecutable,
  type DebugConfiguration,
  type DebugSession,
  debug,
  type ExtensionContext,
  type WorkspaceFolder,
  window,
} from 'vscode';
import { findSvc, folderOf } from './find-svc.ts';

export function registerDebugger(context: ExtensionContext): void {
  context.subscriptions.push(
    debug.registerDebugAdapterDescriptorFactory('svc', { createDebugAdapterDescriptor: adapterOf }),
    debug.registerDebugConfigurationProvider('svc', { resolveDebugConfiguration: completed }),
  );
}

function adapterOf({ workspaceFolder }: DebugSession): DebugAdapterDescriptor {
  const { command, args } = findSvc(workspaceFolder ?? folderOf());
  const cwd = (workspaceFolder ?? folderOf())?.uri.fsPath;
  return new DebugAdapterExecutable(command, [...args, 'debug', '--dap'], cwd === undefined ? {} : { cwd });
}

/** Without a launch.json the program of the active editor is debugged; one that names no program cannot be. */
function completed(_: WorkspaceFolder | undefined, given: DebugConfiguration): DebugConfiguration | undefined {
  const document = window.activeTextEditor?.document;
  if (given.type !== undefined && (given.request === 'attach' || given['program'] !== undefined)) return given;
  if (document?.languageId !== 'svc') {
    window
      .showErrorMessage('Open the program to debug, or name it as `program` in launch.json.')
      .then(undefined, () => {});
    return undefined;
  }
  return {
    ...given,
    type: 'svc',
    request: 'launch',
    name: given.name ?? 'Debug program',
    program: document.uri.fsPath,
  };
}
