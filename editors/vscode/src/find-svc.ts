/** Finds the `svc` a workspace uses: the setting, the workspace's own package, the search path. */
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type Uri, type WorkspaceFolder, window, workspace } from 'vscode';

export interface SvcCommand {
  readonly command: string;
  /** Arguments of the program in front of those of `svc`. */
  readonly args: readonly string[];
}

export function findSvc(folder: WorkspaceFolder | undefined): SvcCommand {
  const settings = workspace.getConfiguration('svc', folder?.uri);
  const node = settings.get<string>('node') || 'node';
  const written = settings.get<string>('path') ?? '';
  const path = written.replace('${workspaceFolder}', folder?.uri.fsPath ?? '');
  if (path !== '')
    return /\.[cm]?js$/.test(path) ? { command: node, args: [absolute(path, folder)] } : { command: path, args: [] };
  const own = folder && join(folder.uri.fsPath, 'node_modules/svc-scale/bin/svc.mjs');
  if (own !== undefined && existsSync(own)) return { command: node, args: [own] };
  return { command: process.platform === 'win32' ? 'svc.cmd' : 'svc', args: [] };
}

/** Folder of the workspace that has the file, else the first one. */
export function folderOf(uri: Uri | undefined = window.activeTextEditor?.document.uri): WorkspaceFolder | undefined {
  return (uri && workspace.getWorkspaceFolder(uri)) ?? workspace.workspaceFolders?.[0];
}

function absolute(path: string, folder: WorkspaceFolder | undefined): string {
  return isAbsolute(path) || folder === undefined ? path : join(folder.uri.fsPath, path);
}
