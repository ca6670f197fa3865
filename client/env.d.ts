/** Facts that the bundler tells of the build that a module is in. */
interface ImportMeta {
  readonly env?: { readonly DEV?: boolean };
}
