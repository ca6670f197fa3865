/** `@svc/runtime`: what programs import by name. Routing (`router.ts`) and forms (`forms.ts`) are modules of their own, which the compiler names. */
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
export { svcIsLoggedIn, svcLogin, svcLogout, svcSetToken, svcSignup, svcSsoLogin } from './auth.ts';
export { ErrorFallback, errorOverlay, SvcAwaiting, SvcClientErrorBoundary } from './boundary.ts';
export { svcConnect } from './connect.ts';
export {
  callFunction as __svcCallFunction,
  getApiBaseUrl as __getApiBaseUrl,
  getLocalStorage as __getLocalStorage,
  removeLocalStorage as __removeLocalStorage,
  setLocalStorage as __setLocalStorage,
  svcJsx as __svcJsx,
  svcSpawn,
  svcSpawn as __svcSpawn,
} from './early.ts';
export { SpawnError } from './net/request.ts';
export { CallError } from './wire.ts';
