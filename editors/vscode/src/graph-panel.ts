/**
 * The graph around the walk, drawn anew at each stop of a debugged program: the page that `svc debug` serves, fed by the
 * request `svc/graph` and the event `svc/walk` instead of HTTP.
 */
import { randomBytes } from 'node:crypto';
import { type DebugSession, debug, type ExtensionContext, ViewColumn, type WebviewPanel, window } from 'vscode';
import page from '../../../cli/debug/graph-page/graph.html';

/** Extent of the page that `svc debug` serves. */
const extent = { depth: 6, limit: 300 };

export interface GraphPanel {
  show(): void;
}

export function registerGraphPanel(context: ExtensionContext): GraphPanel {
  let panel: WebviewPanel | undefined;

  async function refresh(session: DebugSession | undefined): Promise<void> {
    const graph = session?.type === 'svc' ? await graphOf(session) : null;
    await panel?.webview.postMessage(graph);
  }

  context.subscriptions.push(
    debug.onDidReceiveDebugSessionCustomEvent(({ event, session }) => {
      if (event === 'svc/walk') return refresh(session);
    }),
    debug.onDidChangeActiveDebugSession(refresh),
    debug.onDidChangeActiveStackItem(() => refresh(debug.activeDebugSession)),
  );

  return {
    show() {
      if (panel !== undefined) {
        panel.reveal();
        return;
      }
      panel = window.createWebviewPanel('svc.graph', 'Graph', ViewColumn.Beside, {
        enableScripts: true,
        retainContextWhenHidden: true,
        localResourceRoots: [],
      });
      panel.onDidDispose(() => {
        panel = undefined;
      });
      // The page says when it can be sent to.
      panel.webview.onDidReceiveMessage(() => refresh(debug.activeDebugSession));
      panel.webview.html = framed(page);
    },
  };
}

/** Null while the program runs. */
async function graphOf(session: DebugSession): Promise<unknown> {
  try {
    return await session.customRequest('svc/graph', extent);
  } catch {
    return null;
  }
}

/** The page with messages in the place of `fetch` and `EventSource`, and nothing from elsewhere. */
function framed(html: string): string {
  const nonce = randomBytes(16).toString('base64');
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}"><script>${bridge}</script>`;
  return html
    .replace('<meta charset="utf-8">', `$&\n${head}`)
    .replaceAll('<style>', `<style nonce="${nonce}">`)
    .replaceAll('<script>', `<script nonce="${nonce}">`);
}

const bridge = `
let graph = null;
const sources = [];
window.fetch = async () => ({ ok: graph !== null, json: async () => graph });
window.EventSource = class { constructor() { sources.push(this); } };
addEventListener('message', ({ data }) => { graph = data; for (const source of sources) source.onmessage(); });
const host = acquireVsCodeApi();
addEventListener('load', () => host.postMessage('ready'));
`;
