// The browser runtime as scripts beside `.svc` modules see it: `"types": ["svc-scale/client"]` in a tsconfig.json of one's own.
declare module '@svc/runtime' {
  import type { ComponentType, ReactNode } from 'react';

  export {
    createContext,
    Fragment,
    forwardRef,
    lazy,
    memo,
    StrictMode,
    Suspense,
    startTransition,
    useCallback,
    useContext,
    useDebugValue,
    useDeferredValue,
    useEffect,
    useId,
    useImperativeHandle,
    useInsertionEffect,
    useLayoutEffect,
    useMemo,
    useReducer,
    useRef,
    useState,
    useSyncExternalStore,
    useTransition,
  } from 'react';
  export {
    createSearchParams,
    generatePath,
    Link,
    matchPath,
    Navigate,
    NavLink,
    Outlet,
    Route,
    Routes,
    useHref,
    useLocation,
    useMatch,
    useNavigate,
    useNavigationType,
    useOutlet,
    useOutletContext,
    useParams,
    useResolvedPath,
    useRoutes,
    useSearchParams,
  } from 'react-router-dom';

  export function Router(props: { readonly children?: ReactNode; readonly defaultRoute?: string }): ReactNode;
  export { Router as BrowserRouter, Router as HashRouter };
  export function AuthGuard(props: { readonly redirect?: string; readonly children?: ReactNode }): ReactNode;
  export function navigate(path: string, options?: { readonly replace?: boolean }): void;
  export function useRouter(): {
    readonly location: {
      readonly pathname: string;
      readonly search: string;
      readonly hash: string;
      readonly state: any;
    };
    readonly navigate: (to: any, options?: any) => any;
    readonly push: (to: any, options?: any) => any;
    readonly path: string;
    readonly pathname: string;
    readonly search: string;
    readonly hash: string;
    readonly params: Readonly<Record<string, string | undefined>>;
    readonly query: Readonly<Record<string, string>>;
  };

  type One = { readonly type?: string; readonly value: string };
  export type Identity = string | One | readonly One[];
  export function svcLogin(identity: Identity, password: string): Promise<boolean>;
  export function svcSignup(
    identity: Identity,
    password: string,
  ): Promise<
    | { readonly success: true; readonly user_id: string; readonly root_id: string; readonly error?: undefined }
    | { readonly success: false; readonly error: string; readonly code: string }
  >;
  export function svcLogout(): void;
  export function svcIsLoggedIn(): boolean;
  export function svcSetToken(token: string | null): void;
  export function svcSsoLogin(provider?: string, operation?: 'login' | 'register'): void;

  export interface SpawnResult<T = any> {
    readonly reports: T[];
    readonly status: number;
    readonly ok: boolean;
    readonly result: any;
    readonly error: { readonly code: string; readonly message: string } | null;
    readonly warnings: readonly any[];
  }
  export function svcSpawn<T = any>(
    walker: string,
    nodeId?: string,
    fields?: Readonly<Record<string, unknown>>,
  ): Promise<SpawnResult<T>>;
  export { svcSpawn as __svcSpawn };
  export function __svcCallFunction(name: string, fields?: Readonly<Record<string, unknown>>): Promise<any>;
  export function __svcJsx(tag: any, props: Readonly<Record<string, unknown>> | null, children?: ReactNode): ReactNode;
  export function __getApiBaseUrl(): string;
  export function __getLocalStorage(name: string): string | null;
  export function __setLocalStorage(name: string, value: string): void;
  export function __removeLocalStorage(name: string): void;

  export interface ConnectOptions {
    readonly onMessage?: (data: any, frame: any) => void;
    readonly onError?: (error: { readonly code: string; readonly message: string }) => void;
    readonly onOpen?: () => void;
    readonly onClose?: (code: number, reason: string) => void;
    readonly onTopic?: (message: TopicMessage) => void;
    readonly onGap?: (gap: TopicGap) => void;
    readonly hello?: Readonly<Record<string, unknown>>;
    readonly kind?: 'walker' | 'function';
  }
  export function svcConnect(
    target: string | { readonly name: string },
    options?: ConnectOptions,
  ): { send(fields: Readonly<Record<string, unknown>>): void; close(): void; readonly isOpen: boolean };

  export interface TopicMessage {
    readonly topic: string;
    readonly seq: number;
    readonly data: any;
  }
  export interface TopicGap {
    readonly topic: string;
    readonly from: number;
    readonly to: number;
  }
  type Followed = string | { readonly name: string } | { readonly function: string };
  type Node = string | { readonly _svc_id?: string | null } | undefined;
  export interface LiveOptions {
    readonly every?: number;
    readonly onMessage?: (message: TopicMessage) => void;
    readonly onGap?: (gap: TopicGap) => void;
  }
  export interface LiveResult<T = any> extends SpawnResult<T> {
    readonly loading: boolean;
    optimistic<W>(change: (value: any) => any, write?: Promise<W>): Promise<W> | undefined;
  }
  /** Value of a walker by its name, or of `{function: name}`: what `live(root spawn W())` is in a `.svc` file. */
  export function useLive<T = any>(
    followed: Followed,
    fields?: Readonly<Record<string, unknown>>,
    at?: Node,
    options?: LiveOptions,
  ): LiveResult<T>;
  export { useLive as live };
  export function subscribe<T = any>(
    followed: Followed,
    fields: Readonly<Record<string, unknown>>,
    onValue: (value: SpawnResult<T>) => void,
    options?: LiveOptions & {
      readonly at?: Node;
      readonly onError?: (error: { readonly code: string; readonly message: string }, isFinal: boolean) => void;
    },
  ): () => void;
  export interface Action<T = any> {
    run(given?: Readonly<Record<string, unknown>>): Promise<{
      readonly ok: boolean;
      readonly status: number;
      readonly reports: readonly any[];
      readonly result: T | null;
      readonly error: { readonly code: string; readonly message: string } | null;
    }>;
    readonly pending: boolean;
    readonly error: { readonly code: string; readonly message: string } | null;
    readonly reports: readonly any[];
    readonly result: T | null;
  }
  export function useAction<T = any>(ask: (given: Readonly<Record<string, unknown>>) => unknown): Action<T>;

  export const SvcClientErrorBoundary: ComponentType<{
    readonly children?: ReactNode;
    readonly fallback?: ReactNode | ((error: unknown, retry: () => void) => ReactNode);
    readonly place?: unknown;
  }>;
  export function ErrorFallback(props: { readonly error?: unknown; readonly retry?: () => void }): ReactNode;
  export function errorOverlay(): void;
  /** No answer came. */
  export class SpawnError extends Error {
    readonly status: 0;
  }
  /** A function of the server failed. */
  export class CallError extends Error {
    readonly status: number;
    readonly code: string;
    readonly details: unknown;
  }
  export function SvcAwaiting(props: {
    readonly children?: ReactNode | (() => ReactNode);
    readonly fallback?: ReactNode | (() => ReactNode);
    readonly failed?: (error: unknown) => ReactNode;
  }): ReactNode;

  export type FormMode = 'onChange' | 'onSubmit' | 'onBlur' | 'onTouched';
  export const SvcSchema: any;
  export function useSvcForm(options: any, schema?: any, onSubmit?: (values: any) => unknown): any;
  export function SvcForm(props: {
    readonly schema: any;
    readonly onSubmit: (values: any) => unknown;
    readonly field_config?: Readonly<Record<string, object>>;
    readonly layout?: 'vertical' | 'grid' | 'inline';
    readonly gridColumns?: number;
    readonly validateMode?: FormMode;
    readonly submitLabel?: string;
    readonly submitClassName?: string;
    readonly className?: string;
    readonly defaultValues?: Readonly<Record<string, unknown>>;
  }): ReactNode;
}
declare module '@svc-client/utils' {
  export * from '@svc/runtime';
}
