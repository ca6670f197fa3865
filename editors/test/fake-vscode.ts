/**
 * A stand-in for the module `vscode`, enough to run the built extension outside of an editor: what the extension registers is kept, what it
 * asks for is answered from `given`, and everything else is a value that may be called, constructed, extended and disposed of.
 */
import Module, { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

type Call = (...args: any[]) => any;

export interface Fake {
  readonly commands: Map<string, Call>;
  readonly debugFactories: Map<string, { createDebugAdapterDescriptor: Call }>;
  readonly completion: { provideCompletionItems: Call }[];
  readonly controllers: FakeController[];
  readonly messages: string[];
  readonly panels: FakePanel[];
  /** Listeners of `debug.onDidReceiveDebugSessionCustomEvent`. */
  readonly customEvents: Call[];
  /** Listeners of `workspace.onDidOpenTextDocument`. */
  readonly opened: Call[];
}

export interface Given {
  readonly folder: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface FakePanel {
  readonly posted: unknown[];
  html: string;
}

export interface FakeItem {
  readonly id: string;
  readonly children: FakeItems;
  parent: FakeItem | undefined;
}

export interface FakeItems extends Iterable<[string, FakeItem]> {
  readonly size: number;
  get(id: string): FakeItem | undefined;
  forEach(call: (item: FakeItem) => void): void;
}

export interface FakeController {
  readonly items: FakeItems;
  readonly profiles: { readonly label: string; readonly run: Call }[];
  /** Outcomes of runs, such as `passed adds`. */
  readonly outcomes: string[];
  readonly ended: Promise<void>;
}

interface Extension {
  activate(context: unknown): void;
  deactivate(): Promise<void>;
}

/** Loads an extension bundle that requires `vscode` and gives it with what it does to the stand-in. */
export function loadExtension(path: string, given: Given): { readonly extension: Extension; readonly fake: Fake } {
  const fake: Fake = {
    commands: new Map(),
    debugFactories: new Map(),
    completion: [],
    controllers: [],
    messages: [],
    panels: [],
    customEvents: [],
    opened: [],
  };
  const vscode = vscodeOf(fake, given);
  const loader = Module as unknown as { _load: Call };
  const load = loader._load;
  loader._load = (name: string, ...more: unknown[]) => (name === 'vscode' ? vscode : load.call(Module, name, ...more));
  try {
    return { extension: createRequire(import.meta.url)(path) as Extension, fake };
  } finally {
    loader._load = load;
  }
}

/** Any member of the module that `known` does not have. */
function anything(): any {
  const value: any = new Proxy(class {}, {
    get: (target, name) => {
      if (name === 'prototype') return target.prototype;
      if (name === Symbol.toPrimitive) return () => '';
      // Not a promise, and not an iterable with an end nowhere.
      return name === 'then' || name === Symbol.iterator ? undefined : anything();
    },
    apply: () => anything(),
  });
  return value;
}

function withRest(known: Record<string, unknown>): unknown {
  const rest = new Map<PropertyKey, unknown>();
  return new Proxy(known, {
    get(target, name) {
      if (name in target || name === 'then') return target[name as string];
      if (!rest.has(name)) rest.set(name, anything());
      return rest.get(name);
    },
  });
}

const disposable = { dispose() {} };

class Uri {
  readonly scheme = 'file';
  readonly fsPath: string;
  constructor(fsPath: string) {
    this.fsPath = fsPath;
  }
  get path(): string {
    return this.fsPath;
  }
  toString(): string {
    return pathToFileURL(this.fsPath).href;
  }
  static file(path: string): Uri {
    return new Uri(path);
  }
  static parse(text: string): Uri {
    return new Uri(new URL(text).pathname);
  }
}

class EventEmitter {
  readonly #listeners = new Set<Call>();
  readonly event = (listener: Call) => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
  fire(value: unknown): void {
    for (const listener of this.#listeners) listener(value);
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

class Values {
  readonly values: readonly unknown[];
  constructor(...values: unknown[]) {
    this.values = values;
  }
}

function vscodeOf(fake: Fake, { folder, settings }: Given): unknown {
  const workspaceFolder = { uri: new Uri(folder), name: 'test', index: 0 };
  return withRest({
    version: '1.99.0',
    Uri,
    EventEmitter,
    DebugAdapterExecutable: Values,
    CompletionItem: class {
      readonly label: string;
      constructor(label: string) {
        this.label = label;
      }
    },
    TestMessage: class {
      readonly message: string;
      constructor(message: string) {
        this.message = message;
      }
    },
    commands: withRest({
      registerCommand(name: string, call: Call) {
        fake.commands.set(name, call);
        return disposable;
      },
    }),
    workspace: withRest({
      isTrusted: true,
      textDocuments: [],
      workspaceFolders: [workspaceFolder],
      getWorkspaceFolder: () => workspaceFolder,
      getConfiguration: () => ({ get: (name: string) => settings[name] }),
      asRelativePath: (uri: Uri) => uri.fsPath.slice(folder.length + 1),
      onDidOpenTextDocument(listener: Call) {
        fake.opened.push(listener);
        return disposable;
      },
    }),
    window: withRest({
      activeTextEditor: undefined,
      visibleTextEditors: [],
      async showErrorMessage(text: string) {
        fake.messages.push(text);
      },
      createWebviewPanel: () => panelOf(fake),
    }),
    languages: withRest({
      registerCompletionItemProvider(_: unknown, provider: { provideCompletionItems: Call }) {
        fake.completion.push(provider);
        return disposable;
      },
    }),
    debug: withRest({
      activeDebugSession: undefined,
      registerDebugAdapterDescriptorFactory(type: string, factory: { createDebugAdapterDescriptor: Call }) {
        fake.debugFactories.set(type, factory);
        return disposable;
      },
      onDidReceiveDebugSessionCustomEvent(listener: Call) {
        fake.customEvents.push(listener);
        return disposable;
      },
    }),
    tests: withRest({ createTestController: () => controllerOf(fake) }),
  });
}

function panelOf(fake: Fake): unknown {
  const panel: FakePanel = { posted: [], html: '' };
  fake.panels.push(panel);
  return {
    reveal() {},
    onDidDispose: () => disposable,
    webview: {
      set html(text: string) {
        panel.html = text;
      },
      onDidReceiveMessage: () => disposable,
      async postMessage(message: unknown) {
        panel.posted.push(message);
      },
    },
  };
}

function itemsOf(parent: FakeItem | undefined): FakeItems {
  const items = new Map<string, FakeItem>();
  const add = (item: FakeItem) => {
    item.parent = parent;
    items.set(item.id, item);
  };
  return Object.assign(items, {
    add,
    forEach: (call: (item: FakeItem) => void) => [...items.values()].forEach(call),
    replace(list: readonly FakeItem[]) {
      items.clear();
      for (const item of list) add(item);
    },
  }) as unknown as FakeItems;
}

function controllerOf(fake: Fake): unknown {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const controller: FakeController = { items: itemsOf(undefined), profiles: [], outcomes: [], ended };
  fake.controllers.push(controller);
  const tell = (outcome: string) => (item: FakeItem, message?: { message: string }) =>
    controller.outcomes.push([outcome, item.id, message?.message?.split('\n')[0]].filter(Boolean).join(' '));
  return Object.assign(controller, {
    createTestItem(id: string, label: string, uri: Uri) {
      const item: FakeItem = { id, children: undefined as never, parent: undefined };
      return Object.assign(item, { label, uri, children: itemsOf(item) });
    },
    createRunProfile: (label: string, _: unknown, run: Call) => controller.profiles.push({ label, run }),
    createTestRun: () => ({
      started() {},
      appendOutput() {},
      passed: (item: FakeItem) => tell('passed')(item),
      skipped: tell('skipped'),
      failed: tell('failed'),
      errored: tell('errored'),
      end,
    }),
    dispose() {},
  });
}
