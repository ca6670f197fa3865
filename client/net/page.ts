/** Data that the server wrote into the page it delivered. */
export interface PageData {
  readonly module?: string;
  /** Component that the page shows; the application where absent. */
  readonly function?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly base_url?: string;
  readonly globals?: Readonly<Record<string, unknown>>;
}

let data: PageData | undefined;

export function pageData(): PageData {
  if (data === undefined) {
    const text = globalThis.document?.getElementById('__svc_init__')?.textContent;
    data = text === null || text === undefined || text === '' ? {} : (JSON.parse(text) as PageData);
  }
  return data;
}

/** Address of the API without a slash behind: that of the page where the server says nothing else. */
export function baseUrl(): string {
  const { base_url: address = '' } = pageData();
  return (/^(\/|$)/.test(address) ? (globalThis.location?.origin ?? '') + address : address).replace(/\/$/, '');
}

/** Path that the addresses of pages stand below; '' also for a page that was asked for without. */
export function prefix(): string {
  const { base_url: path = '' } = pageData();
  return path.startsWith('/') && `${globalThis.location.pathname}/`.startsWith(`${path}/`) ? path : '';
}

/** Address of a path of the API for sockets. */
export function socketUrl(path: string): string {
  return baseUrl().replace(/^http/, 'ws') + path;
}
