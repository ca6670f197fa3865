/** Files that `svc new` writes: relative path -> text. */
export interface Template {
  readonly name: string;
  readonly about: string;
  files(app: { readonly name: string }): Readonly<Record<string, string>>;
}
