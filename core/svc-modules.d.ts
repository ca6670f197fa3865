// `.svc` modules as TypeScript sees them: what they declare has no types of its own there.
declare module '*.svc';
// Files that the bundler gives addresses for.
declare module '@svc-client/assets/*';
