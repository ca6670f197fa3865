/** What the bundler says of the build that a module is in. */
interface ImportMeta {
  readonly env?: { readonly DEV?: boolean };
}
