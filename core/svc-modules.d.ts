// `.svc` modules as TypeScript sees them: what they declare has no types of its own there.
declare module '*.svc';
// The browser runtime, and files that its bundler gives addresses for.
declare module '@svc/runtime';
declare module '@svc-client/*';
